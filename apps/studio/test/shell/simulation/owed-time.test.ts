import { describe, expect, it } from 'vitest'
import { OwedTime } from '../../../src/shell/simulation/owed-time.js'

describe('owed time', () => {
  it('is paid in whole steps, what is left over counting for the next', () => {
    const time = new OwedTime(0.01)
    time.add(0.015)
    expect(time.take()).toBe(1)
    expect(time.take()).toBe(0)
    time.add(0.006)
    expect(time.take()).toBe(1)
  })

  it('takes a screen that is a little too fast for whole steps, so that none is skipped', () => {
    const time = new OwedTime(0.01)
    time.add(0.0095)
    expect(time.take()).toBe(1)
  })

  it('never owes more than a few steps: a slow machine shows slow motion instead of falling behind', () => {
    const time = new OwedTime(0.01)
    time.add(5)
    expect(time.take()).toBe(3)
    expect(time.take()).toBe(0)
  })

  it('says how long ago it was asked last', () => {
    const time = new OwedTime(0.01)
    expect(time.elapsed(1000)).toBe(0.01)
    expect(time.elapsed(1250)).toBe(0.25)
  })
})
