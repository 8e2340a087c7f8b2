import { describe, expect, it } from 'vitest'
import { gamepadMove, isHandKey, keysMove } from '../../../src/pages/haptics/hand-moves.js'

const pad = (axes: number[], pressed: number[] = []) => ({
  axes,
  buttons: Array.from({ length: 8 }, (_, i) => ({ pressed: pressed.includes(i), touched: false, value: 0 })),
})

describe('gamepads', () => {
  it('do nothing while sticks are only nearly at rest', () => {
    const still = { across: 0, up: 0, away: 0, turn: 0 }
    expect(gamepadMove(pad([0.1, -0.12, 0.05, 0.13]))).toEqual(still)
    expect(gamepadMove(pad([]))).toEqual(still)
  })

  it('move to the right, up and away as the sticks do', () => {
    expect(gamepadMove(pad([1, -1, 0, -1]))).toEqual({ across: 1, up: 1, away: 1, turn: 0 })
    expect(gamepadMove(pad([-0.57, 0, 0, 0])).across).toBeCloseTo(-0.5, 12)
  })

  it('never go beyond full speed, shoulders and stick together', () => {
    expect(gamepadMove(pad([0, -1], [5])).up).toBe(1)
    expect(gamepadMove(pad([0, 0], [4])).up).toBe(-1)
  })
})

describe('keys', () => {
  it('add up, and cancel', () => {
    expect(keysMove(['ArrowLeft', 'ArrowUp'])).toEqual({ across: -1, up: 1, away: 0, turn: 0 })
    expect(keysMove(['ArrowLeft', 'ArrowRight']).across).toBe(0)
  })

  it('leave others to the browser', () => {
    expect(isHandKey('PageUp')).toBe(true)
    expect(isHandKey('Tab')).toBe(false)
    expect(isHandKey('toString')).toBe(false)
  })
})
