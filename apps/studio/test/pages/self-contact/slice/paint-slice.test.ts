/** What is painted over a slice, with a context that keeps what it is told. */
import { describe, expect, it } from 'vitest'
import type { LearnedRounds } from '../../../../src/pages/self-contact/contact-protocol.js'
import { squareIn } from '../../../../src/pages/self-contact/slice/code-slice-view.js'
import {
  distanceScale,
  FREE_SAMPLE,
  PRESENT,
  paintPresent,
  paintSamples,
  pixelOf,
  TOUCHING_SAMPLE,
} from '../../../../src/pages/self-contact/slice/paint-slice.js'
import { roundSpan, roundText } from '../../../../src/pages/self-contact/slice/round-samples.js'

const box = { lower: Float64Array.of(-1, -1, -1), upper: Float64Array.of(1, 1, 1) }
const into = { x: 100, y: 10, width: 200, height: 200 }
const frame = { axes: [2, 0], box, into, pixels: 1 } as const

/** Three rounds of 2, 0 and 3 samples. */
const rounds: LearnedRounds = {
  counts: [2, 0, 3],
  codes: Float32Array.of(-1, 0, -1, 1, 0, 1, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5),
  signs: Int8Array.of(1, -1, -1, 1, 1),
}

interface Square {
  colour: string
  x: number
  y: number
  side: number
  alpha: number
}

function recorder() {
  const squares: Square[] = []
  const dots: { x: number; y: number }[] = []
  const strokes: string[] = []
  const context = {
    fillStyle: '',
    strokeStyle: '',
    globalAlpha: 1,
    lineWidth: 1,
    fillRect(x: number, y: number, side: number) {
      squares.push({ colour: this.fillStyle, x: x + side / 2, y: y + side / 2, side, alpha: this.globalAlpha })
    },
    beginPath() {},
    moveTo() {},
    lineTo() {},
    fill() {},
    stroke() {
      strokes.push(this.strokeStyle)
    },
    arc: (x: number, y: number) => dots.push({ x, y }),
  }
  return { context: context as unknown as CanvasRenderingContext2D, squares, dots, strokes }
}

describe('samples of rounds', () => {
  it('are those of all rounds so far, the last of them apart', () => {
    expect([0, 1, 2, 3].map((round) => roundSpan(rounds, round))).toEqual([
      { first: 0, end: 0 },
      { first: 0, end: 2 },
      { first: 2, end: 2 },
      { first: 2, end: 5 },
    ])
  })

  it('are told in words', () => {
    expect(roundText(rounds, 0)).toBe('none shown')
    expect(roundText(rounds, 3)).toBe('3 of 3: 5 samples, 3 new, 1 of them touching')
  })

  it('lie at their modes, coloured by sign, the new ones larger', () => {
    const { context, squares } = recorder()
    paintSamples(context, rounds, 3, frame)
    // The first is a veil over all of the picture.
    const [, ...samples] = squares
    expect(samples.map(({ colour, x, y }) => [colour, Math.round(x), Math.round(y)])).toEqual([
      [FREE_SAMPLE, 100, 210],
      [TOUCHING_SAMPLE, 300, 10],
      [FREE_SAMPLE, 200, 60],
      [FREE_SAMPLE, 250, 110],
      [TOUCHING_SAMPLE, 200, 110],
    ])
    expect(samples[2].side).toBeGreaterThan(samples[0].side)
    expect(samples[0].alpha).toBeLessThan(1)
  })

  it('are none before the first round', () => {
    const { context, squares } = recorder()
    paintSamples(context, rounds, 0, frame)
    expect(squares).toEqual([])
  })
})

describe('the present code', () => {
  it('is a dot at its two modes, behind it the way it came', () => {
    const { context, dots, strokes } = recorder()
    paintPresent(context, [Float64Array.of(0, 9, 0), Float64Array.of(1, 9, -1)], frame)
    expect(dots).toEqual([{ x: 100, y: 10 }])
    expect(strokes.filter((colour) => colour === PRESENT)).toHaveLength(1)
  })

  it('stays at the edge if it is beyond', () => {
    expect(pixelOf([-0.2, 1.4], into)).toEqual([100, 10])
  })

  it('is nowhere before the first frame', () => {
    const { context, dots } = recorder()
    paintPresent(context, [], frame)
    expect(dots).toEqual([])
  })
})

it('colours reach equally far to both sides of the boundary', () => {
  const { lower, upper } = distanceScale({ lower: Float64Array.of(-1, 0), upper: Float64Array.of(1, 0.5) })
  expect([lower, upper]).toEqual([-0.5, 0.5])
})

it('the picture is a square that leaves room for labels, whatever the shape of the canvas', () => {
  for (const [width, height] of [
    [400, 300],
    [300, 500],
    [20, 20],
  ]) {
    const { x, y, width: across, height: upright } = squareIn(width, height, 2)
    expect(across).toBe(upright)
    expect(Math.min(x, y)).toBeGreaterThan(0)
    if (width > 100) expect(x + across).toBeLessThanOrEqual(2 * width)
  }
})
