/** Looks at poses: which parts light up by what was learned, and which triangles meet by exact geometry. */
import { AnswerClock } from '../../measure/answer-clock.js'
import { meetingSegments } from './meeting-segments.js'
import type { PoseLook } from './pose-protocol.js'
import type { PoseSubject } from './subjects/pose-subject.js'

/** Answers timed at a look: about a millisecond of learned ones, one exact test of a few. */
const ANSWERS = { learned: 8, exact: 1 }

export class PoseLooks {
  readonly #subject: PoseSubject
  readonly #clock: AnswerClock
  readonly #clearances: Float64Array
  readonly #distance = new Float64Array(1)
  readonly #positions: Float64Array
  readonly #partCount: number
  #count = 0

  constructor(subject: PoseSubject) {
    const { field, exact, near, shape, parts } = subject
    this.#subject = subject
    this.#clock = new AnswerClock(field, exact, ANSWERS)
    this.#clearances = new Float64Array(near.field.pairs.length)
    this.#positions = new Float64Array(3 * shape.vertexCount)
    this.#partCount = parts.groups.length
  }

  /** Median times of one answer [us]. */
  get microseconds(): { learned: number; exact: number } {
    return this.#clock.microseconds
  }

  /** Takes the time of answers at a code, for the medians. */
  time(code: Float64Array): void {
    this.#clock.look(code)
  }

  at(code: Float64Array): PoseLook {
    const { field, exact, near, shape } = this.#subject
    field.query(code, 1, this.#distance)
    near.field.clearances(code, this.#clearances)
    const least = this.#clearances.indexOf(Math.min(...this.#clearances))
    const pairs = exact.touches(code) ? exact.meetingPairs(code) : []
    if (pairs.length > 0) shape.positions(code, this.#positions)
    return {
      id: this.#count++,
      distance: this.#distance[0],
      clearance: this.#clearances[least] ?? Infinity,
      nearest: near.names[least] ?? '',
      heat: this.#heat(),
      touching: pairs.length > 0,
      pairs: pairs.length / 2,
      triangles: Uint32Array.from(new Set(Array.from(pairs))),
      segments: meetingSegments(this.#positions, shape.triangles, pairs),
    }
  }

  #heat(): Float32Array {
    const { ofPair, glow } = this.#subject.near
    const heat = new Float32Array(this.#partCount)
    for (let pair = 0; pair < this.#clearances.length; pair++) {
      const share = heatOf(this.#clearances[pair], glow)
      for (const part of [ofPair[2 * pair], ofPair[2 * pair + 1]]) heat[part] = Math.max(heat[part], share)
    }
    return heat
  }
}

/** 0 where parts are further apart than `glow`, 1 where they touch, 2 where they are a quarter as far in each other. */
export function heatOf(clearance: number, glow: number): number {
  const share = 1 - clearance / glow
  return Math.max(0, share <= 1 ? share : Math.min(2, 1 + 4 * (share - 1)))
}
