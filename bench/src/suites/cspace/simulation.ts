/**
 * Thirty seconds of pulling at a body on a table, the same pulls for every way to keep it from running into itself: which
 * share of frames meets itself, by exact geometry, and how much faster than life it goes.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import type { SelfContactArtifact, SelfContactField } from 'pliant'
import { exactSelfContact, SelfIntersection } from 'pliant/exact'
import { PulledScene, type PulledSceneOptions, PullScript } from 'pliant/unstable/blocks'

/** What keeps it from running into itself. */
export type Keeping = 'nothing' | 'paper' | 'learned' | 'hybrid'

export interface SimulationRow {
  keeping: Keeping
  frames: number
  /** Share of frames whose surface meets itself, and meets itself deeper than 1% of the size. */
  meeting: number
  deep: number
  /** Deepest of all [share of the size]. */
  deepest: number
  /** Seconds simulated in a second. */
  realTime: number
  /** Exact tests that the scene asked in a frame. */
  tests: number
}

const FRAME = 1 / 60
/** A meeting deeper than this share of the size is seen. */
const SEEN = 0.01

export interface Simulated {
  artifact: SelfContactArtifact
  /** Learned fields: ours, and the paper's if there is one. */
  learned: SelfContactField
  paper?: SelfContactField
}

export function simulate(
  { artifact, learned, paper }: Simulated,
  seconds: number,
  onFrame: (done: number) => void,
): SimulationRow[] {
  const exact = exactSelfContact(artifact.model)
  const ways: [Keeping, PulledSceneOptions][] = [
    ['nothing', {}],
    ...(paper ? [['paper', { field: paper, response: 'paper' }] as [Keeping, PulledSceneOptions]] : []),
    ['learned', { field: learned }],
    ['hybrid', { field: learned, exact }],
  ]
  return ways.map(([keeping, options], i) =>
    simulateOne(artifact, keeping, options, seconds, (done) => onFrame((i + done) / ways.length)),
  )
}

function simulateOne(
  artifact: SelfContactArtifact,
  keeping: Keeping,
  options: PulledSceneOptions,
  seconds: number,
  onFrame: (done: number) => void,
): SimulationRow {
  const scene = new PulledScene(artifact, options)
  const script = new PullScript(scene, streamOf('benchMoments', 1))
  const positions = new Float64Array(scene.body.rest.length)
  const { triangles } = artifact.model
  const judge = new SelfIntersection({ positions: scene.body.rest, triangles })
  const frames = Math.round(seconds / FRAME)
  let [meeting, deep, deepest, spent, tests] = [0, 0, 0, 0, 0]
  for (let frame = 0; frame < frames; frame++) {
    const began = performance.now()
    script.advance(FRAME)
    tests += scene.step(FRAME).exactTests
    spent += performance.now() - began
    scene.body.localPositions(positions)
    judge.update(positions)
    if (judge.any()) {
      const depth = judge.pairs().depths.reduce((most, value) => Math.max(most, value), 0) / scene.size
      meeting++
      if (depth > SEEN) deep++
      deepest = Math.max(deepest, depth)
    }
    if (frame % 60 === 0) onFrame(frame / frames)
  }
  return {
    keeping,
    frames,
    meeting: meeting / frames,
    deep: deep / frames,
    deepest,
    realTime: (1000 * seconds) / spent,
    tests: tests / frames,
  }
}
