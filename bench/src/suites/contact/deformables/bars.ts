/**
 * Two bars, each bent by a code of its own, one laid into the other at random: what contact by learned fields finds
 * beside contact by their triangles. No simulation, codes alone.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { boxOfPoints, followingField, type LinearModes, type MovingField } from 'pliant'
import { bodyOfCode, DeformingPair, type MovingBody } from 'pliant/detect'
import { ExactMeshField } from 'pliant/exact'
import { boxDiagonal, composeMat4 } from 'pliant/unstable'
import { timeTurns } from '../../../timing/turns.js'
import type { Bar } from './soft-bodies.js'

type Code = { code: ArrayLike<number> }
type Bodies = readonly [MovingBody<Code>, MovingBody<Code>]

interface Posed {
  codes: readonly [Float64Array, Float64Array]
  frame: Float64Array
}

export interface BarsResult {
  poses: number
  /** Poses in which only triangles, and only learned fields, find a touch. */
  missed: number
  madeUp: number
  /** Deepest separation beside that of triangles: mean and largest difference, as shares of the size. */
  mean: number
  largest: number
  /** Both codes taken and contacts of both sides found [ms]. */
  learnedMs: number
  exactMs: number
}

/**
 * How deep the second bar is lowered into the first from where they begin to touch, as shares of the size; below 0,
 * apart.
 */
const LOWERED = [-0.01, 0.02] as const
/** Contacts are told up to this distance, and bars lowered until they are this near, as shares of the size. */
const GAP = 0.02
const NEAR = 1e-3

export async function measureBars(bar: Bar, poses: number, seed: number, seconds: number): Promise<BarsResult> {
  const { model } = bar
  const fields = [await bar.learned(), await bar.learned()]
  try {
    const size = boxDiagonal(boxOfPoints(model.rest))
    const learned: Bodies = [bodyOfCode(model, fields[0]), bodyOfCode(model, fields[1])]
    const exact: Bodies = [bodyOfCode(model, exactOf(model)), bodyOfCode(model, exactOf(model))]
    const laid = layPoses(model, exact, poses, seed, size)
    const [byLearned, byExact] = [learned, exact].map(finder)
    const off: number[] = []
    let [missed, madeUp] = [0, 0]
    for (const pose of laid) {
      const [found, truth] = [byLearned(pose), byExact(pose)]
      if (truth < 0 && !(found < 0)) missed++
      if (found < 0 && !(truth < 0)) madeUp++
      off.push(Math.abs(found - truth) / size)
    }
    const { medians } = timeTurns({ byLearned, byExact }, laid, seconds, (find, pose) => void find(pose))
    return {
      ...{ poses, missed, madeUp },
      mean: off.reduce((sum, each) => sum + each, 0) / poses,
      largest: Math.max(...off),
      learnedMs: medians.byLearned / 1000,
      exactMs: medians.byExact / 1000,
    }
  } finally {
    for (const field of fields) field.dispose()
  }
}

/** The model's own triangles at its code. */
function exactOf(model: LinearModes): MovingField<Code> {
  const vertices = model.rest.slice()
  const mesh = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
  return followingField(mesh, ({ code }: Code) => {
    model.positions(code, vertices)
    return { vertices }
  })
}

/** Random codes and turns, the second bar lowered onto the first. */
function layPoses(model: LinearModes, exact: Bodies, count: number, seed: number, size: number): Posed[] {
  const random = streamOf('deformingPoses', seed)
  const gaps = new DeformingPair(...exact, { contact: 'points', gap: 10 * size, maxContacts: 1 })
  return Array.from({ length: count }, () => {
    const codes = exact.map((body) => {
      const code = model.bounds.lower.map((lower, mode) => random.between(lower, model.bounds.upper[mode]))
      body.update({ code })
      return code
    })
    const turn = [0, 1, 2, 3].map(() => random.normal())
    const length = Math.hypot(...turn)
    const quaternion = turn.map((value) => value / length)
    const place = [random.between(-0.2, 0.2) * size, size, random.between(-0.02, 0.02) * size]
    const frame = new Float64Array(16)
    const pose = (): Float64Array => {
      composeMat4(place, quaternion, [1, 1, 1], 0, frame, 0)
      return frame
    }
    // Nothing is nearer than the least distance; what goes by the other's side is not lowered without end.
    for (let left = size; left > NEAR * size && place[1] > -size; place[1] -= left) {
      left = gaps.update(undefined, pose()).separations[0]
    }
    place[1] -= random.between(LOWERED[0], LOWERED[1]) * size
    return { codes: [codes[0], codes[1]], frame: pose().slice() }
  })
}

/** Takes both codes and tells the deepest separation [m]. */
function finder(bodies: Bodies): (pose: Posed) => number {
  const pair = new DeformingPair(...bodies, { contact: 'points', gap: GAP })
  return ({ codes, frame }) => {
    for (const [i, body] of bodies.entries()) body.update({ code: codes[i] })
    const list = pair.update(undefined, frame)
    return list.count > 0 ? list.separations[0] : GAP
  }
}
