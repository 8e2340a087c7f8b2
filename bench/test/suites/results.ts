/** Results of suites as they come out, small and made up, for tables and documents. */
import type { BarBenchResult } from '../../src/suites/bar/run.js'
import { PAPER_CLOTH } from '../../src/suites/cloth/paper.js'
import type { ClothBenchResult } from '../../src/suites/cloth/run.js'
import type { ContactBenchResult } from '../../src/suites/contact/parts.js'
import type { CspaceResult } from '../../src/suites/cspace/run.js'
import type { HandlerBenchResult } from '../../src/suites/handler/run.js'
import { NATIVE_MARKS, PAPER_HAPTICS } from '../../src/suites/haptics/paper.js'
import type { HapticsBenchResult } from '../../src/suites/haptics/run.js'
import type { QueryRow } from '../../src/suites/native/queries.js'
import type { NativeBenchResult } from '../../src/suites/native/run.js'
import type { WindBenchResult } from '../../src/suites/wind/run.js'

const barRow = {
  count: 1024,
  microseconds: {
    learned: 10,
    learnedTwoThreads: 6,
    exact: 50,
    exactPseudonormal: 48,
    exactStop: 30,
    threeMeshBvh: 125,
    threeMeshBvhStop: 80,
  },
  rounds: 7,
  best: { rival: 'exactStop', gain: 3 },
}
export const barResult: BarBenchResult = {
  triangles: 3008,
  artifactBytes: 1,
  backend: 'simd',
  multiplications: 1,
  band: 0.1,
  error: { mean: 0.011, low: 0.01, high: 0.012, seeds: [3, 4, 5] },
  quality: {
    poses: 2,
    points: 20,
    size: 2,
    sizeOf: 'diagonal',
    bandError: { mean: 0.01, p50: 0.01, p95: 0.02, p99: 0.03, max: 0.04 },
    surfaceError: { mean: 0.01, p95: 0.02, max: 0.03 },
    signAccuracy: 0.995,
    normalError: { p50: 1, p95: 2 },
    worstPoses: [],
    safetyMargin: 0.02,
    beyond: { from: 0.1, share: 0.7, mean: 0.03, max: 0.2, tooFar: 0.5, maxTooFar: 0.1 },
  },
  rows: [
    { points: 'uniform', ...barRow },
    { points: 'near', ...barRow },
  ],
}

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

const errors = {
  field: 'learned',
  error: { mean: 0.052, low: 0.05, high: 0.054, p95: 0.184, max: 1.2, surface: 0.05 },
  sign: 99.96,
  normalError: { median: 4.8, p95: 24 },
  beyond: { mean: 1.4, max: 19, maxTooFar: 18 },
  margin: 0.13,
}

export const clothResult: ClothBenchResult = {
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
    clip: 'dance',
    queries: 1024,
    poses: 40,
    seeds: [3, 4],
    band: { width: 5, beyond: 60 },
    clips: [
      { clip: 'turn', rows: [{ ...errors, error: { ...errors.error, mean: 0.04 } }] },
      { clip: 'dance', rows: [errors] },
    ],
    rows: [{ ...errors, bytes: 1_500_000, uniform: 1000, near: 800 }],
  },
  queries: [
    {
      points: 'near',
      count: 1024,
      microseconds: {
        learned: 1000,
        learnedTwoThreads: 600,
        paper: 9000,
        paperOrt: 3900,
        exact: 4000,
        exactPseudonormal: 3500,
        exactStop: 3000,
        threeMeshBvh: 12_345,
        threeMeshBvhStop: 8000,
        staticGeometry: 16_000,
        skinnedMeshBvhStop: 45_678,
        boneGrids: 1100,
        capsules: 400,
      },
      rounds: 7,
      best: { rival: 'exactStop', gain: 3 },
    },
  ],
  crowd: {
    characters: 100,
    queriesEach: 200,
    methods: {
      learned: crowd,
      learnedTwoThreads: crowd,
      exact: { frame: 150, withoutClips: 140 },
      exactStop: { frame: 160, withoutClips: 150 },
      threeMeshBvh: { frame: 400, withoutClips: 390 },
      threeMeshBvhStop: { frame: 390, withoutClips: 380 },
    },
    best: { rival: 'exact', gain: 12 },
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
  drapes: [],
  endurance: null,
}

const draped = {
  margin: 0.13,
  deepest: [0.7, 0.4],
  tried: [
    { margin: 0, deepest: 0.9 },
    { margin: 0.13, deepest: 0.7 },
  ],
  penetration,
  time: { pose: 0.1, queries: 0.5, solver: 1.4, total: 2 },
  queriesPerFrame: 3000,
  energy: { max: 3, bound: 20, maxSpeed: 4, bodySpeed: 2 },
  notFinite: 0,
}

export const drapedResult: ClothBenchResult = {
  ...clothResult,
  drapes: [
    {
      character: 'hero',
      clip: 'dance',
      garment: 'skirt',
      height: 1.7,
      bodyTriangles: 17_000,
      clothVertices: 1056,
      clothTriangles: 2000,
      frames: 1200,
      starts: 2,
      speed: 1,
      methods: { learned: draped, capsules: { ...draped, penetration: { ...penetration, deepest: 1.5 } } },
    },
  ],
  endurance: { seconds: 600, speed: 4, notFinite: 0, maxSpeed: 12 },
}

const dry = { deepest: 0, deepVertexFrames: 0, deepShare: 0, longestRun: 0, insideShare: 0, deepestFace: 0 }
export const windResult: WindBenchResult = {
  character: 'hero',
  garment: 'skirt',
  clothVertices: 1056,
  seconds: { calm: 2, gusts: 4, settling: 1, after: 1 },
  rows: [
    {
      clip: 'squat',
      field: 'exact',
      wind: 15,
      calm: dry,
      gusts: { ...dry, deepest: 3.4, deepVertexFrames: 811 },
      after: { ...dry, deepest: 0.25 },
    },
  ],
}

const material = { density: 1000, young: 20_000, poisson: 0.49, massDamping: 0, stiffnessDamping: 0.01 }
const touched = {
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
  exactDistance: 0.6,
  exact: 0.7,
  exactPseudonormal: 0.65,
  threeMeshBvh: 2,
  threeMeshBvhRebuild: 3,
  exactStop: 0.62,
  threeMeshBvhStop: 1.5,
}
const native = Object.fromEntries(NATIVE_MARKS.map(({ name }, i) => [name, 0.41 + i]))

export const hapticsResult: HapticsBenchResult = {
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
    exact: { refit: 210 },
    threeMeshBvh: { refit: 190 },
  },
  queries: [
    {
      points: 'near',
      count: 128,
      milliseconds: times,
      rounds: 7,
      gains: {
        distances: { rival: 'exactDistance', gain: 2.4 },
        normals: { rival: 'exactStop', gain: 2.07 },
        triangles: { rival: 'exactPseudonormal', gain: 1.18 },
      },
      native,
    },
  ],
  triangles: {
    rows: [
      {
        points: 'uniform',
        count: 1024,
        milliseconds: { patches: 4, hinted: 3, scan: 170, exact: 5, threeMeshBvh: 14 },
        gains: { scan: { rival: 'scan', gain: 56.7 }, trees: { rival: 'exact', gain: 1.67 } },
      },
    ],
    equality: {
      queries: 400,
      sameTriangle: { hinted: 400, threeMeshBvh: 350 },
      sameDistance: { hinted: 400, threeMeshBvh: 399 },
    },
    table1: [
      { count: 128, milliseconds: { learned: 0.6, paperScan: 20, exact: 1, threeMeshBvh: 2, threeMeshBvhRebuild: 3 } },
    ],
  },
  quality: {
    points: 2000,
    seeds: [2, 3],
    band: { width: 5, beyond: 60 },
    projection: { 'run time': 0.19, training: 0.15 },
    rows: [
      {
        field: 'learned',
        material: 'run time',
        shapes: 'simulated',
        poses: 56,
        inRange: 50,
        error: { mean: 0.1, low: 0.09, high: 0.11, p95: 0.3, max: 2.5, surface: 0.08 },
        sign: 99.7,
        normalError: { median: 4, p95: 25 },
        beyond: { mean: 1.1, max: 9, maxTooFar: 7 },
        margin: 0.5,
      },
    ],
  },
  touch: {
    tool: { nodes: 472, triangles: 840 },
    frames: 180,
    learned: touched,
    exact: { ...touched, deepest: 0.6 },
    paper: null,
    jerkRatio: 1.05,
  },
}

export const cspaceResult: CspaceResult = {
  name: 'ring',
  triangles: 1296,
  modes: 7,
  labels: 1_000_000,
  quality: {
    codes: 50_000,
    touchingShare: 0.2,
    signAccuracy: 0.991,
    balancedAccuracy: 0.985,
    nearAccuracy: 0.95,
    falseNegatives: 0.02,
    falsePositives: 0.005,
    distanceError: { mean: 0.03, p95: 0.1, max: 0.4 },
    gradientError: 0.1,
    gradientSpread: 0.15,
    hybrid: [
      { tau: 0, exactShare: 0, accuracy: 0.991, falseNegatives: 0.02 },
      { tau: 0.01, exactShare: 0.05, accuracy: 0.999, falseNegatives: 0.001 },
    ],
  },
  paper: null,
  answers: [
    {
      ...{ triangles: 1296, codes: 1, microseconds: { learned: 5, exact: 100, refit: 400 } },
      ...{ gain: 20, gainOverRefit: 80, rounds: 7 },
    },
  ],
  simulation: [
    { keeping: 'nothing', frames: 1800, meeting: 0.4, deep: 0.3, deepest: 0.1, realTime: 40, tests: 0 },
    { keeping: 'hybrid', frames: 1800, meeting: 0, deep: 0, deepest: 0, realTime: 20, tests: 1.1 },
  ],
  bodies: [
    {
      name: 'ring',
      triangles: 1296,
      modes: 7,
      simulation: [
        { keeping: 'nothing', frames: 1800, meeting: 0.4, deep: 0.3, deepest: 0.1, realTime: 40, tests: 0 },
        { keeping: 'hybrid', frames: 1800, meeting: 0, deep: 0, deepest: 0, realTime: 20, tests: 1.1 },
      ],
    },
    {
      name: 'coil',
      triangles: 2064,
      modes: 3,
      simulation: [
        { keeping: 'learned', frames: 1800, meeting: 0.01, deep: 0, deepest: 0.002, realTime: 30, tests: 0 },
      ],
    },
  ],
}

export const handlerResult: HandlerBenchResult = {
  detection: [
    {
      ...{ name: 'hand', vertices: 1159, codeSize: 60, touchingShare: 0.25 },
      microseconds: { one: 20, oneWithGradient: 40, many: 10, manyWithGradient: 30, exact: 2000 },
      ...{ gain: { one: 100, many: 200 }, repair: 12, guard: null },
    },
  ],
  clips: [
    {
      ...{ clip: '05_01', noise: 15, frames: 300, before: 40, after: 1, newly: 0, change: 0.25 },
      ...{ jerk: { before: 900, after: 950 }, work: 0.5 },
    },
  ],
}

const offBy = (mean: number) => ({ mean, largest: 10 * mean })

export const contactResult: ContactBenchResult = {
  machine: { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' },
  curves: {
    places: 100,
    fields: { mean: 1e-16, largest: 4e-16 },
    lines: [{ count: 5, mean: 0.1, largest: 0.3 }],
  },
  cubeSphere: {
    configurations: 1000,
    half: 0.5,
    radius: 0.6,
    rows: [
      {
        ...{ method: 'ours', missed: 0, within: 1000 },
        ...{ cubePlace: offBy(1e-9), ballPlace: offBy(1e-8), depth: offBy(1e-12), normal: offBy(1e-7) },
      },
    ],
  },
  wholeSurface: {
    scenes: [
      {
        ...{ name: 'thin pole', vertices: 1024, frames: 180, spacing: 0.03 },
        rows: [
          { contact: 'points', step: 0.2, queries: 265, deepest: 0.002, pierced: 1 },
          { contact: 'surface', step: 0.9, queries: 1141, deepest: 0.004, pierced: 0 },
        ],
        pass: { vertices: 0.004, surface: 0.1, vertexQueries: 1024, surfaceQueries: 300, found: 2 },
      },
    ],
  },
}

const embreeGain = { method: 'embree', ratio: 1.234, low: 1.1, high: 1.456 } as const
const nativeRow: QueryRow = {
  ...{ body: 'bunny', triangles: 3040, points: 'near', count: 128, rounds: 9 },
  microseconds: { learned: 94.25, learnedTriangles: 327, embree: 121.4, exact: 504 },
  gains: {
    near: {
      normals: { embree: embreeGain, exact: { method: 'exactStop', ratio: 5.2, low: 5, high: 5.4 } },
      triangles: { embree: { ...embreeGain, ratio: 0.371 } },
    },
  },
  refusals: { igl: 'bench native: igl: no tree.' },
}
export const nativeResult: NativeBenchResult = {
  programs: ['embree'],
  skipped: [{ program: 'igl', reason: 'igl is left out: there is no g++; apt-get install g++ libigl-dev' }],
  queries: [
    {
      ...nativeRow,
      points: 'uniform',
      gains: {
        uniform: { normals: { embree: { ...embreeGain, ratio: 3 } }, triangles: {} },
        uniformStop: { normals: { embree: { ...embreeGain, ratio: 2 } }, triangles: {} },
      },
    },
    nativeRow,
  ],
  sizes: [nativeRow, { ...nativeRow, triangles: 12_160 }],
  collisions: [
    {
      ...{ body: 'tube', triangles: 5880, frames: 16, pairs: { least: 0, most: 108 }, judge: 'cgal', rounds: 9 },
      microseconds: { ours: 3620, embree: 2500 },
      gains: { embree: { ratio: 0.69, low: 0.63, high: 0.7 } },
      differences: { ours: { missing: 0, more: 0 }, embree: { missing: 3, more: 0 } },
      refusals: { fcl: 'bench native: fcl: out of order.' },
    },
  ],
  agreement: [
    {
      ...{ body: 'bunny', method: 'embree', queries: 16_384, difference: { mean: 6e-7, largest: 5e-6 } },
      ...{ off: 0, otherSide: 12, otherTriangle: 0, noTriangle: 0 },
    },
    {
      ...{ body: 'bunny', method: 'learned', queries: 16_384, difference: { mean: 0.05, largest: 0.5 } },
      otherSide: 8,
    },
  ],
}
