/** Places of a character follow its joints, in the runtime and as a graph, whatever these hang from in the file. */
import { randomStream } from 'pliant'
import { JointCode, SkinnedCharacter } from 'pliant/character'
import { describe, expect, it } from 'vitest'
import { foldingTube } from '../../../../pliant/test/artifact/folding-tube.js'
import { compileFunction, input } from '../../../src/graph/index.js'
import { characterFrames } from '../../../src/learn/posed-contact/character-frames.js'

/** As this package has its classes. */
function tube(hanging: 'chain' | 'flat', bases?: Float64Array): SkinnedCharacter {
  const { skeleton, surface, code, height, skinning } = foldingTube(hanging)
  const own = new JointCode(skeleton, { ...code, carriers: code.carriers, bases })
  return new SkinnedCharacter({ skeleton, surface, code: own, height, skinning })
}

describe.each([
  ['each other', tube('chain')],
  ['one', tube('flat')],
  [
    'one, about other axes',
    tube('flat', Float64Array.of(0, 0.6, 0, 0.8, 0.6, 0, 0, 0.8, 0.5, 0.5, 0.5, 0.5, 0, 0, 1, 0)),
  ],
])('places of joints that hang from %s', (_, character) => {
  it('are where the surface is, and the graph has the frames of the runtime (seed 12)', async () => {
    const { code, surface, vertexCount } = character
    const shape = characterFrames(character)
    const frames = shape.frames()
    const { influenceStarts: starts, bones } = surface
    const whole = Array.from({ length: vertexCount }, (_, v) => v).filter((v) => starts[v + 1] - starts[v] === 1)
    const graph = shape.frameGraph(new Set(bones.joints))
    const asked = input('codes', ['n', 3])
    const run = await compileFunction({ inputs: [asked], outputs: { matrices: graph.matrices(asked, 'n') } }, {})
    const random = randomStream(12)
    const positions = new Float64Array(3 * vertexCount)
    for (let round = 0; round < 5; round++) {
      const at = Float32Array.from({ length: 3 }, () => random.between(-0.9, 0.9))
      frames.moveTo(at)
      character.positions(at, positions)
      for (const vertex of whole) {
        const [joint, ...place] = shape.endOf([[vertex, 1]])
        for (let row = 0; row < 3; row++) {
          const m = (column: number): number => frames.spaces[16 * joint + 4 * column + row]
          const found = m(0) * place[0] + m(1) * place[1] + m(2) * place[2] + m(3)
          expect(found).toBeCloseTo(positions[3 * vertex + row], 6)
        }
      }
      const { matrices } = await run.run({ codes: at })
      Array.from(graph.moving).forEach((joint, i) => {
        for (let k = 0; k < 12; k++) {
          const due = frames.spaces[16 * joint + 4 * (k % 4) + Math.trunc(k / 4)]
          expect(matrices[12 * i + k], `joint ${joint}`).toBeCloseTo(due, 5)
        }
      })
    }
    expect(whole.length).toBeGreaterThan(40)
    expect(code.size).toBe(3)
    await run.dispose()
  })
})
