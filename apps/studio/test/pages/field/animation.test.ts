import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Animation } from '../../../src/pages/field/animation.js'

describe('the animation', () => {
  beforeEach(() => {
    // Node has no frames of its own; the fake ones come every 16 ms.
    vi.stubGlobal('requestAnimationFrame', () => 0)
    vi.stubGlobal('cancelAnimationFrame', () => {})
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('calls every frame until it is stopped', () => {
    const times: number[] = []
    const animation = new Animation((seconds) => times.push(seconds))
    animation.start(false)
    vi.advanceTimersByTime(1000)
    expect(times.length).toBeGreaterThan(30)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    animation.stop()
    expect(animation.running).toBe(false)
    const before = times.length
    vi.advanceTimersByTime(1000)
    expect(times.length).toBe(before)
  })

  it('shows still poses, seconds apart, to those who asked for less motion', () => {
    const times: number[] = []
    const animation = new Animation((seconds) => times.push(seconds))
    animation.start(true)
    vi.advanceTimersByTime(10_000)
    expect(times).toEqual([2.5, 5, 7.5, 10])
    animation.stop()
    vi.advanceTimersByTime(10_000)
    expect(times).toHaveLength(4)
  })
})
