import { describe, expect, it } from 'vitest'
import { bodyMap } from '../../src/model/body-map.js'
import { readJointNames } from '../../src/model/joint-names.js'
import { matchJoints } from '../../src/model/match-joints.js'
import { Skeleton } from '../../src/model/skeleton.js'
import { CONVENTIONS, type Convention, jointsOf, partsOf } from './conventions.js'

function skeletonOf(names: string[], parents: number[], root = 0): Skeleton {
  const rotations = new Float64Array(4 * names.length)
  names.forEach((_, i) => {
    rotations[4 * i + 3] = 1
  })
  const rest = {
    translations: new Float64Array(3 * names.length),
    rotations,
    scales: new Float64Array(3 * names.length).fill(1),
  }
  return new Skeleton({ names, parents: Int32Array.from(parents), root, rest })
}

function motionOf(names: string[], parents: number[]) {
  return {
    joints: names.map((name, i) => ({ name, parent: parents[i], offset: [0, 0, 0] })),
    frameCount: 1,
    frameTime: 1,
    rotations: new Float32Array(4 * names.length),
    translations: new Float32Array(3 * names.length),
  }
}

/** The skeleton's joint -> the motion's. */
function matches(own: [string[], number[]], theirs: [string[], number[]], aliases = {}): Map<string, string> {
  const { sources } = matchJoints(skeletonOf(...own), motionOf(...theirs), aliases)
  return new Map(own[0].flatMap((name, i) => (sources[i] >= 0 ? [[name, theirs[0][sources[i]]]] : [])))
}

const tableOf = (convention: Convention): [string[], number[]] => {
  const { names, parents } = jointsOf(convention)
  return [names, parents]
}

describe.each(CONVENTIONS)('$name', (convention) => {
  it('has every part of the body found, on its own side', () => {
    const [names, parents] = tableOf(convention)
    const { roles } = bodyMap(names, parents)
    for (const [part, joint] of partsOf(convention)) expect(names[roles.indexOf(part)], part).toBe(joint)
  })

  it.each(CONVENTIONS)('takes motion of $name: the same part of the same side, and no other', (other) => {
    const found = matches(tableOf(convention), tableOf(other))
    const theirs = partsOf(other)
    for (const [part, joint] of partsOf(convention)) {
      if (theirs.has(part)) expect(found.get(joint), part).toBe(theirs.get(part))
    }
    // Whatever was matched beyond the tables: never across.
    const [own, their] = [convention, other].map((each) => {
      const { names } = jointsOf(each)
      return new Map(readJointNames(names).map(({ side }, i) => [names[i], side]))
    })
    for (const [joint, from] of found) expect(`${joint} ${own.get(joint)}`).toBe(`${joint} ${their.get(from)}`)
  })
})

describe('spines of different lengths', () => {
  const of = (name: string) => tableOf(CONVENTIONS.find((each) => each.name === name)!)

  it('are laid along each other from end to end', () => {
    const unreal = matches(of('Unreal'), of('Unity'))
    expect(['spine_01', 'spine_02', 'spine_03'].map((joint) => unreal.get(joint))).toEqual(['spine', 'chest', 'chest'])
    const unity = matches(of('Unity'), of('CMU'))
    expect([unity.get('spine'), unity.get('chest'), unity.get('neck')]).toEqual(['LowerBack', 'Spine1', 'Neck1'])
  })
})

describe('names that decide nothing', () => {
  const chain = (names: string[]): [string[], number[]] => [names, names.map((_, i) => i - 1)]

  it('are those of two joints, and none at all', () => {
    expect([...matches(chain(['hips', 'tail', 'tail']), chain(['hips', 'tail', 'tail']))]).toEqual([['hips', 'hips']])
    expect([...matches(chain(['hips', '', '']), chain(['hips', '', '']))]).toEqual([['hips', 'hips']])
    expect([...matches(chain(['hips', '']), chain(['hips', 'tail']))]).toEqual([['hips', 'hips']])
  })

  it('leave a pair alone whose sides are not told', () => {
    const found = matches(chain(['hips', 'wing.L', 'feather']), chain(['hips', 'wing', 'feather']))
    expect([...found.keys()]).toEqual(['hips', 'feather'])
  })

  it('are not those in other alphabets: they must agree letter by letter', () => {
    const names = chain(['センター', '左腕', '右腕'])
    expect([...matches(names, names).values()]).toEqual(names[0])
    expect(matches(chain(['センター', '左腕']), chain(['センター', '右腕'])).has('左腕')).toBe(false)
  })
})

describe('aliases', () => {
  const own: [string[], number[]] = [
    ['hips', 'blob', 'tail'],
    [-1, 0, 0],
  ]
  const theirs: [string[], number[]] = [
    ['hips', 'belly', 'tail'],
    [-1, 0, 0],
  ]

  it('go from the motion to the skeleton, before names, and may leave a joint out', () => {
    expect(matches(own, theirs, { belly: 'blob' }).get('blob')).toBe('belly')
    const swapped = matches(own, theirs, { belly: 'tail' })
    expect([swapped.get('tail'), swapped.has('blob')]).toEqual(['belly', false])
    expect(matches(own, theirs, { tail: null }).has('tail')).toBe(false)
  })

  it('name joints that are there, each once', () => {
    expect(() => matches(own, theirs, { belli: 'blob' })).toThrow("the motion has no joint 'belli'; choose from hips")
    expect(() => matches(own, theirs, { belly: 'blub' })).toThrow("the skeleton has no joint 'blub'")
    expect(() => matches(own, theirs, { belly: 'blob', tail: 'blob' })).toThrow("two joints of the motion move 'blob'")
  })
})
