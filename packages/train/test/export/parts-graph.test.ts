import { randomStream } from 'pliant'
import { type BoneNetworkShape, PartFrames, type PartFramesData, type PartsBody } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { partsGraph } from '../../src/export/parts-graph.js'
import { compileFunction, input } from '../../src/graph/index.js'

const PARTS = 5
const CODE = 7
const NODES = 30

describe('partsGraph', () => {
  for (const seed of [1, 2, 3]) {
    it(`poses parts as the runtime does (seed ${seed})`, async () => {
      const { shape, data, body } = randomParts(seed)
      const given = input('code', [CODE])
      const parts = new PartFrames(shape, data, body)
      const outputs = { ...partsGraph(shape, data, parts.motions, given) }
      const graph = await compileFunction({ inputs: [given], outputs })
      const random = randomStream(seed, 9)
      for (const reach of [0, 0.2, 1]) {
        const code = Float32Array.from({ length: CODE }, () => random.between(-reach, reach))
        parts.pose(code)
        const posed = await graph.run({ code })
        for (let i = 0; i < 16 * PARTS; i++) {
          const rowMajor = 16 * Math.floor(i / 16) + 4 * (i % 4) + (Math.floor(i / 4) % 4)
          expect(posed.matrices[rowMajor], `matrix entry ${i}`).toBeCloseTo(parts.matrices[i], 4)
        }
        parts.drivers.forEach((value, i) => {
          expect(posed.drivers[i], `driver ${i}`).toBeCloseTo(value, 4)
        })
      }
      await graph.dispose()
    })
  }
})

/** Parts that turn and stretch, some with fewer neighbours than others. */
function randomParts(seed: number): { shape: BoneNetworkShape; data: PartFramesData; body: PartsBody } {
  const random = randomStream(seed, 1)
  const bones = Array.from({ length: PARTS }, (_, part) => ({
    drivers: [0, 1, 2, 3, 4].filter((other) => other !== part).slice(0, part),
  }))
  const turn = (angle: number): number[] => [
    Math.cos(angle),
    -Math.sin(angle),
    0,
    Math.sin(angle),
    Math.cos(angle),
    0,
    0,
    0,
    1,
  ]
  return {
    shape: { bones } as unknown as BoneNetworkShape,
    data: {
      weights: Float32Array.from({ length: PARTS * NODES }, () => random.uniform()),
      axes: Float32Array.from(Array.from({ length: PARTS }, () => turn(random.between(-3, 3))).flat()),
    },
    body: {
      rest: Float64Array.from({ length: 3 * NODES }, () => random.normal()),
      masses: new Float64Array(NODES).fill(1),
      modes: Float64Array.from({ length: 3 * NODES * CODE }, () => 0.1 * random.normal()),
      codeSize: CODE,
    },
  }
}
