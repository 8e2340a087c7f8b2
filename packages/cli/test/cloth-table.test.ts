import type { ClothBenchResult } from '@pliant/bench'
import { expect, it } from 'vitest'
import { PAPER_CLOTH } from '../../../bench/src/cloth-paper.js'
import { clothTables } from '../src/cloth-table.js'

const penetration = {
  deepest: 0.7,
  deepVertexFrames: 0,
  deepShare: 0,
  longestRun: 2,
  insideShare: 0.25,
  deepestFace: 0.9,
}
const step = { median: 4, max: 9, body: 0.2, touching: 30, penetration, notFinite: 0 }
const crowd = { frame: 12.5, withoutClips: 12 }

const result: ClothBenchResult = {
  character: {
    name: 'hero',
    height: 1.7,
    vertices: 9,
    triangles: 17_000,
    bones: 21,
    heldOut: ['dance'],
    clip: 'dance',
  },
  network: { multiplications: 1509, backend: 'simd', artifactBytes: 1, paperTrained: false },
  paper: PAPER_CLOTH,
  fields: {
    queries: 1024,
    poses: 60,
    rows: [
      {
        field: 'learned',
        bytes: 1_500_000,
        error: { mean: 0.052, p95: 0.184 },
        sign: 99.96,
        normalError: { median: 4.8, p95: 24 },
        uniform: 1000,
        near: 800,
      },
    ],
  },
  queries: [
    {
      points: 'near',
      count: 1024,
      microseconds: {
        learned: 1000,
        learnedTwoThreads: 600,
        paper: 9000,
        exact: 4000,
        threeMeshBvh: 12_345,
        staticGeometry: 16_000,
        boneGrids: 1100,
        capsules: 400,
      },
      ratio: 12.345,
    },
  ],
  crowd: {
    characters: 100,
    queriesEach: 200,
    methods: { learned: crowd, learnedTwoThreads: crowd, threeMeshBvh: { frame: 400, withoutClips: 390 } },
    ratio: 32,
  },
  step: {
    clothVertices: 1024,
    side: 1,
    frame: 1 / 60,
    frames: 90,
    learned: step,
    rapier: { ...step, median: 100, max: 180 },
    ratio: 25,
    maxRatio: 20,
  },
  drape: null,
  endurance: null,
}

it('the tables of suite cloth show each part with its ratio against the rival', () => {
  const text = clothTables(result)
  expect(text).toMatch(/^learned +1\.5 MB +0\.052% +0\.184% +99\.96% +4\.8 +24 +1,000 +800$/m)
  expect(text).toMatch(/^near the surface +1,024 +1,000 +600 +9,000 +1,100 +400 +4,000 +16,000 +12,300 +12\.3x$/m)
  expect(text).toMatch(/random weights, its time only/)
  expect(text).toMatch(/^learned +12\.5 +12$/m)
  expect(text).toMatch(/^32\.0x faster than skinning \+ refit\.$/m)
  expect(text).toMatch(/^Rapier 0\.21 +100 +180 /m)
  expect(text).toMatch(/^25\.0x faster in the median, 20\.0x in the largest\.$/m)
  expect(text).toMatch(/No garment is cut for this body/)
})

it('a draped garment has a row for each field, and its minutes of endurance a line', () => {
  const run = {
    penetration,
    time: { pose: 0.1, queries: 0.5, solver: 1.4, total: 2 },
    queriesPerFrame: 3000,
    energy: { max: 3, bound: 20, maxSpeed: 4, bodySpeed: 2 },
    notFinite: 0,
  }
  const text = clothTables({
    ...result,
    drape: {
      character: 'hero',
      clip: 'dance',
      garment: 'skirt',
      height: 1.7,
      bodyTriangles: 17_000,
      clothVertices: 1056,
      clothTriangles: 2000,
      frames: 1200,
      speed: 1,
      methods: { learned: run, capsules: { ...run, penetration: { ...penetration, deepest: 1.5 } } },
    },
    endurance: { seconds: 600, speed: 4, notFinite: 0, maxSpeed: 12 },
  })
  expect(text).toMatch(/A skirt of 1,056 vertices over 20 s of dance/)
  expect(text).toMatch(/^learned +0\.7% +2 +0\.25% +2 +3 of 20 J +0$/m)
  expect(text).toMatch(/^capsules +1\.5% /m)
  expect(text).toMatch(/Over 600 s with the clip at 4x: 0 vertices not finite, none faster than 12 m\/s/)
})
