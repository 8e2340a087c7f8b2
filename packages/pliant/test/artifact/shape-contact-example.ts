/** A bar in a space of shapes with random weights, and networks that tell its self-contact. */
import { encode } from '../../src/artifact/artifact.js'
import { describeSpace, type ShapeContactArtifact } from '../../src/artifact/kinds/shape-contact.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import type { ShapeSpaceData, StoredNetwork, StoredPart } from '../../src/learned/create-shape-space.js'
import { type Random, randomStream } from '../../src/math/random.js'
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import type { CollisionStateShape } from '../../src/net/collision-state/collision-state-shape.js'
import { type DenseShape, denseTensors } from '../../src/net/dense/dense-shape.js'
import { pieceTensors } from '../../src/net/gaps/piece-shape.js'
import { type PosedGapShape, posedGapTensors } from '../../src/net/gaps/posed-gap-shape.js'
import { bar } from '../model/acap/shapes.js'
import { randomStateTensors } from '../net/collision-state/random-collision-state.js'
import { EXAMPLE_QUALITY } from './self-contact-example.js'

export const CODE_SIZE = 5
/** Of the whole, then of each domain. */
const CODE_SIZES = [2, 2, 1]
const PATCHES = 3
const PAIRS = Uint32Array.of(0, 2, 1, 2)

const GAPS: PosedGapShape = {
  codeSize: CODE_SIZE,
  frames: PATCHES,
  pairs: 2,
  places: 2,
  seen: 1,
  hidden: [6],
  activation: 'silu',
  far: 9,
  perMetre: 2,
  softness: 0.3,
}
const PIECES = 4
/** The paper's network: each domain has its own numbers of the code. */
const STATE: CollisionStateShape = {
  codeSize: CODE_SIZE,
  domains: [[2, 3], [4]],
  encoder: [10, 8],
  state: 6,
  predictor: [5],
  classifier: [4],
  perLogit: 0.3,
  perDepth: 0.2,
  limit: 0.6,
  metres: 0.05,
}

export function randomDense(shape: DenseShape, random: Random, spread = 0.3): Map<string, Float32Array> {
  return new Map(
    [...denseTensors(shape)].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => spread * random.normal())]
    }),
  )
}

/** The bar bends and twists a little, however its weights are: features stay near those of the bar at rest. */
export function exampleSpace(): ShapeSpaceData {
  const random = randomStream(41)
  const { positions, triangles } = bar(8, 1)
  const count = positions.length / 3
  const all = Uint32Array.from({ length: count }, (_, v) => v)
  const [low, high] = [all.filter((v) => positions[3 * v] < 0.11), all.filter((v) => positions[3 * v] > -0.11)]
  const network = (inputs: number, outputs: number, hidden: number[]): StoredNetwork => {
    const shape: DenseShape = { inputs, outputs, hidden, activation: 'tanh', output: 'linear' }
    return { shape, tensors: randomDense(shape, random, 0.1) }
  }
  return {
    reference: { positions: positions.map(Math.fround), triangles },
    fitWeight: 100,
    mean: Float32Array.from({ length: 9 * count }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9]),
    scale: 0.7,
    bounds: { lower: new Float64Array(CODE_SIZE).fill(-1), upper: new Float64Array(CODE_SIZE).fill(1.5) },
    parts: [all, low, high].map(
      (vertices, part): StoredPart => ({
        codeSize: CODE_SIZES[part],
        vertices,
        attention: Float32Array.from(vertices, () => (part === 0 ? 1 : random.between(0.2, 1))),
        encoder: network(9 * vertices.length, CODE_SIZES[part], part === 0 ? [] : [4]),
        decoder: network(CODE_SIZES[part], 9 * vertices.length, part === 0 ? [] : [4]),
      }),
    ),
  }
}

/**
 * A mesh whose features are linear in a code, all of it of the whole.
 * @param slope  of a feature of a vertex by a number of the code, from the middle of the box
 */
export function linearSpace(
  reference: TriangleMesh,
  bounds: ShapeSpaceData['bounds'],
  slope: (vertex: number, channel: number, number: number) => number,
): ShapeSpaceData {
  const [codeSize, count] = [bounds.lower.length, reference.positions.length / 3]
  const affine = (inputs: number, outputs: number): DenseShape => {
    return { inputs, outputs, hidden: [], activation: 'tanh', output: 'linear' }
  }
  const weight = Float32Array.from({ length: 9 * count * codeSize }, (_, i) => {
    const [number, feature] = [Math.trunc(i / (9 * count)), i % (9 * count)]
    return slope(Math.trunc(feature / 9), feature % 9, number)
  })
  const bias = Float32Array.from({ length: 9 * count }, (_, i) => {
    const middle = (k: number): number => (bounds.lower[k] + bounds.upper[k]) / 2
    return -weight.reduce(
      (sum, value, at) => sum + (at % (9 * count) === i ? value * middle(Math.trunc(at / (9 * count))) : 0),
      0,
    )
  })
  return {
    reference,
    fitWeight: 100,
    mean: Float32Array.from({ length: 9 * count }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9]),
    scale: 1,
    bounds,
    parts: [
      {
        codeSize,
        vertices: Uint32Array.from({ length: count }, (_, v) => v),
        attention: new Float32Array(count).fill(1),
        encoder: {
          shape: affine(9 * count, codeSize),
          tensors: randomDense(affine(9 * count, codeSize), randomStream(43)),
        },
        decoder: {
          shape: affine(codeSize, 9 * count),
          tensors: new Map([
            ['dense.0.weight', weight],
            ['dense.0.bias', bias],
          ]),
        },
      },
    ],
  }
}

function gapTensors(): Map<string, Float32Array> {
  const random = randomStream(42)
  const placeOf = (patch: number): number[] => [patch, ...[0, 1, 2].map(() => random.between(-0.2, 0.2))]
  const layers = [...posedGapTensors(GAPS)].map(([name, dims]): [string, Float32Array] => {
    const size = dims.reduce((product, n) => product * n, 1)
    return [name, Float32Array.from({ length: size }, () => 0.2 + 0.4 * random.normal())]
  })
  const ofParts = [...PAIRS].map((patch) => Array.from({ length: GAPS.places }, () => placeOf(patch)))
  return new Map([
    ...layers,
    ['pair.places', Float32Array.from(ofParts.flat(2))],
    ['pair.middles', Float32Array.from(ofParts.flatMap(([first]) => first))],
    // All are near.
    ['pair.far', new Float32Array(2).fill(1e6)],
    ...[...pieceTensors({ codeSize: CODE_SIZE, pieces: PIECES, frames: PATCHES })].map(
      ([name, [rows, columns = 1]]): [string, Float32Array] => [
        name,
        Float32Array.from({ length: rows * columns }, () => 0.2 * random.normal()),
      ],
    ),
  ])
}

/** @param network  'gaps' of patches, or 'state': the paper's; random weights of either */
export function shapeContactExample(network: 'gaps' | 'state' = 'gaps'): ShapeContactArtifact {
  const space = exampleSpace()
  const { lower, upper } = space.bounds
  const isPaper = network === 'state'
  return {
    kind: 'shape-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: 'bar',
      code: {
        size: CODE_SIZE,
        names: ['whole 1', 'whole 2', 'domain 1, 1', 'domain 1, 2', 'domain 2, 1'],
        lower: [...lower],
        upper: [...upper],
        how: 'numbers of the learned space of shapes',
      },
      model: {
        kind: 'shape-contact',
        ...describeSpace(space),
        patches: PATCHES,
        neighbours: { along: 0.1, near: 0.005 },
        metres: 0.8,
        around: isPaper ? 0 : 2,
      },
      networks: {
        distance: isPaper
          ? { kind: 'collision-state', shape: structuredClone(STATE) }
          : { kind: 'framed-gaps', shape: structuredClone(GAPS), pieces: PIECES },
      },
      training: { method: isPaper ? 'paper' : 'pliant', seed: 1, specHash: 'abc', steps: 10, poses: 6, labels: 6 },
      quality: structuredClone(EXAMPLE_QUALITY),
    },
    networks: { distance: isPaper ? randomStateTensors(STATE, 24) : gapTensors() },
    space,
    patches: Uint16Array.from({ length: space.reference.triangles.length / 3 }, (_, triangle) => triangle % PATCHES),
    pairs: isPaper ? new Uint32Array(0) : PAIRS.slice(),
    around: Float32Array.from({ length: isPaper ? 0 : 2 * CODE_SIZE }, (_, i) => 0.1 * i - 0.4),
  }
}

/** The same as its file, for tests of other packages. */
export function shapeContactFile(network: 'gaps' | 'state' = 'gaps') {
  return encode(shapeContactExample(network))
}
