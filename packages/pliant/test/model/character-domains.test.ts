import { describe, expect, test } from 'vitest'
import { characterDomains } from '../../src/model/character-domains.js'
import { JointCode } from '../../src/model/joint-code.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import { foldingTube } from '../artifact/folding-tube.js'

const tube = foldingTube()

/** The tube with a code of these joints alone. */
function movedBy(joints: number[], of = tube): SkinnedCharacter {
  const { skeleton, surface, height, skinning, code } = of
  const size = joints.length
  return new SkinnedCharacter({
    ...{ skeleton, surface, height, skinning },
    code: new JointCode(skeleton, {
      joints: Uint16Array.from(joints),
      axes: new Uint8Array(size),
      units: new Float64Array(size).fill(Math.PI),
      carriers: code.carriers,
      fixed: code.fixed,
      bounds: { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) },
      dropped: [],
      largestAngle: Math.PI,
    }),
  })
}

describe('domains of a character', () => {
  test('are the joints of its code and what none of them moves', () => {
    const { names, entries, weights } = characterDomains(tube)
    expect(names).toEqual(['root', 'first', 'second', 'third'])
    expect(entries).toEqual([[], [0], [1], [2]])
    for (let vertex = 0; vertex < tube.vertexCount; vertex++) {
      expect(weights.subarray(4 * vertex, 4 * vertex + 4).reduce((sum, one) => sum + one)).toBeCloseTo(1, 6)
    }
    // Where the tube begins nothing but the root moves it, at its end the last joint alone.
    expect([...weights.subarray(0, 4)]).toEqual([1, 0, 0, 0])
    expect([...weights.subarray(-4)]).toEqual([0, 0, 0, 1])
  })

  test('take bones along that no code moves by itself', () => {
    // However they hang in the file: the first joint carries them.
    for (const of of [tube, foldingTube('flat')]) {
      const { names, entries, weights } = characterDomains(movedBy([1], of))
      expect(names).toEqual(['root', 'first'])
      expect(entries).toEqual([[], [0]])
      expect([...weights.subarray(-2)]).toEqual([0, 1])
    }
  })
})
