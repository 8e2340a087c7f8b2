/** A small artifact with random weights, for tests of the container and of what loads it. */
import type { ModesArtifact } from '../../src/artifact/kinds/linear-modes.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import { randomStream } from '../../src/math/random.js'
import { LinearModes } from '../../src/model/linear-modes.js'
import { type NetworkShape, networkTensors } from '../../src/net/network-shape.js'

export function exampleArtifact(): ModesArtifact {
  const grid = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
  const shape: NetworkShape = {
    code: 2,
    conditioning: { kind: 'blend', coefficients: 3, hidden: 4, layers: 2 },
    warp: { ...grid, resolution: [3, 2, 2], channels: 4 },
    grids: [{ ...grid, resolution: [3, 3, 2], channels: 2 }],
    hidden: [6],
    activation: 'silu',
    output: 'linear',
  }
  const random = randomStream(5)
  const draw = (n: number): Float32Array => Float32Array.from({ length: n }, () => 0.3 * random.normal())
  const tensors = new Map<string, Float32Array>()
  for (const [name, dims] of networkTensors(shape)) tensors.set(name, draw(dims.reduce((a, b) => a * b, 1)))
  const manifest: ModesArtifact['manifest'] = {
    format: FORMAT_VERSION,
    kind: 'signed-distance',
    name: 'example',
    code: { size: 2, names: ['bend', 'twist'], lower: [-1, -2], upper: [1, 2], how: 'weights of two modes' },
    model: { kind: 'linear-modes', vertices: 4, triangles: 4 },
    networks: {
      distance: {
        kind: 'whole',
        shape,
        normalisation: { centre: [0.1, 0, 0], scale: 2, codeOffset: [0, 0], codeScale: [1, 0.5] },
        domain: { lower: [-1.8, -1.9, -1.9], upper: [2, 1.9, 1.9] },
      },
    },
    truncation: 0.2,
    training: { method: 'pliant', seed: 1, specHash: 'abc', steps: 10, poses: 2, labels: 20 },
    quality: null,
  }
  const model = new LinearModes({
    rest: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    modes: Float64Array.from(draw(24)),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
    bounds: { lower: Float64Array.of(-1, -2), upper: Float64Array.of(1, 2) },
  })
  return { kind: 'linear-modes', manifest, model, networks: { distance: tensors } }
}
