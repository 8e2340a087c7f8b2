import type { HapticsBenchResult } from '@pliant/bench'
import { expect, it } from 'vitest'
import { NATIVE_MARKS, PAPER_HAPTICS } from '../../../bench/src/haptics-paper.js'
import { hapticsTables } from '../src/haptics-table.js'

const material = { density: 1000, young: 20_000, poisson: 0.49, massDamping: 0, stiffnessDamping: 0.01 }
const run = {
  parts: { body: 4, tool: 1, code: 0.5, pose: 0.1, queries: 0.3, triangles: 0.05, contacts: 0.2 },
  total: 6.15,
  longest: 9,
  deepest: 0.7,
  jerk: { rms: 60, largest: 240, meanForce: 1.5 },
  contacts: 30,
  notFinite: 0,
  trace: { times: [0], forces: [0], depths: [0] },
}
const times = {
  learned: 0.25,
  learnedTwoThreads: 0.2,
  learnedGradient: 0.3,
  learnedOrt: 0.9,
  learnedTriangle: 0.5,
  learnedGradientTriangle: 0.55,
  paper: 1.2,
  paperOrt: 0.8,
  threeMeshBvh: 2,
  threeMeshBvhRebuild: 3,
}

const result: HapticsBenchResult = {
  body: {
    name: 'bunny',
    nodes: 1900,
    tetrahedra: 6273,
    triangles: 3040,
    modes: 64,
    diagonal: 0.25,
    material: { training: material, runTime: material },
  },
  network: {
    backend: 'simd',
    artifactBytes: 1,
    paperTrained: false,
    multiplications: { learned: { step: 9, query: 2000 }, paper: { step: 9, query: 115_200 } },
  },
  paper: PAPER_HAPTICS,
  native: NATIVE_MARKS,
  split: {
    learned: { code: 0, pose: 90.4, queries: { 128: 60 } },
    paper: { code: 500, pose: 40 },
    threeMeshBvh: { refit: 190 },
  },
  queries: [
    {
      points: 'near',
      count: 128,
      milliseconds: times,
      ratios: { ...times, learned: 8, learnedTriangle: 4 },
      native: { 'Embree 3.13, refit': 0.41, 'libigl 2.6, rebuild': null },
    },
  ],
  triangles: {
    rows: [
      {
        points: 'uniform',
        count: 1024,
        milliseconds: { patches: 4, hinted: 3, scan: 170, threeMeshBvh: 14 },
        ratios: { scan: 56.7, threeMeshBvh: 4.67 },
      },
    ],
    equality: {
      queries: 400,
      sameTriangle: { hinted: 400, threeMeshBvh: 350 },
      sameDistance: { hinted: 400, threeMeshBvh: 399 },
    },
    table1: [{ count: 128, milliseconds: { learned: 0.6, paperScan: 20, threeMeshBvh: 2, threeMeshBvhRebuild: 3 } }],
  },
  quality: {
    points: 2000,
    projection: { 'run time': 0.19, training: 0.15 },
    rows: [
      {
        field: 'learned',
        material: 'run time',
        shapes: 'simulated',
        poses: 56,
        inRange: 50,
        error: { mean: 0.1, p95: 0.3, surface: 0.08 },
        sign: 99.7,
        normalError: { median: 4, p95: 25 },
      },
    ],
  },
  touch: {
    tool: { nodes: 472, triangles: 840 },
    frames: 180,
    learned: run,
    exact: { ...run, deepest: 0.6 },
    paper: null,
    jerkRatio: 1.05,
  },
}

it('the tables of suite haptics show each part with its ratio against the rival', () => {
  const text = hapticsTables(result)
  expect(text).toMatch(/2,000 multiplications a query \(the paper's 115,200\)/)
  expect(text).toMatch(/^near +128 +0\.25 +0\.2 +0\.3 +0\.9 +0\.5 +0\.55 +1\.2 +0\.8 +2 +3 +8\.0x +4\.0x +0\.41 *$/m)
  expect(text).toMatch(/random weights, its time only/)
  expect(text).toMatch(/code 0, pose 90; then queries near the surface: 128 in 60\./)
  expect(text).toMatch(/^anywhere +1,024 +4 +3 +170 +14 +56\.7x +4\.7x$/m)
  expect(text).toMatch(/has the scan's triangle in 400 and its distance to the last bit in 400/)
  expect(text).toMatch(/^ +128 +0\.6 +20 +2 +3 +2\.64 +4\.88$/m)
  expect(text).toMatch(/^learned +run time +simulated +50 of 56 +0\.1% +0\.3% +0\.08% +99\.7% +4 +25$/m)
  expect(text).toMatch(/^exact +4 +1 +0\.5 +0\.1 +0\.3 +0\.05 +0\.2 +6\.15 +9 +30 +0\.6% +60 +1\.5$/m)
  expect(text).toMatch(/jerk is 1\.05 of the exact one's/)
  expect(text).not.toMatch(/^paper +4 /m)
})
