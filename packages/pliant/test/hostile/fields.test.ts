/**
 * What callers from plain JavaScript send by mistake, to every field and every verb that moves one: it is refused in one
 * line that names it, or answered with NaN, and leaves the field as it was.
 */
import { describe, expect, it } from 'vitest'
import { NearestTriangles } from '../../src/detect/index.js'
import { createOrtNetwork } from '../../src/net/ort/index.js'
import { bumpyTorus } from '../exact/shapes.js'
import { tinyOnnx } from '../net/ort/tiny-onnx.js'
import { EVERY_FIELD, type FieldCase } from './every-field.js'
import { refused } from './refused.js'

const COUNT = 5
const points = (): Float64Array => Float64Array.from({ length: 3 * COUNT }, (_, i) => 0.37 * Math.sin(3 * i + 1))

function answers({ query }: FieldCase, at = points()) {
  const [distances, gradients] = [new Float64Array(COUNT), new Float64Array(3 * COUNT)]
  query(at, COUNT, distances, gradients)
  const alone = distances.slice().fill(7)
  query(at, COUNT, alone)
  for (let i = 0; i < COUNT; i++) {
    if (Number.isNaN(distances[i])) expect(alone[i]).toBeNaN()
    else expect(alone[i]).toBeCloseTo(distances[i], 6)
  }
  return { distances, gradients }
}

/** What states of all fields are made of. */
const STATE_KEYS = ['code', 'nodes', 'vertices', 'joints', 'matrices', 'frame', 'pose', 'positions']

const BAD_COUNTS = [1.5, -1, Number.NaN, Infinity, 6, 2 ** 53, '2', undefined, null, {}, [2]] as number[]
const BAD_ARRAYS = [undefined, null, [0, 0, 0], new Int32Array(30), 'points', 7, {}, new Float64Array(2)]

describe.each(Object.entries(EVERY_FIELD))('%s', (_, make) => {
  it('refuses counts that are none and arrays that are too short or of another type', async () => {
    const field = await make()
    const before = answers(field)
    const [distances, gradients] = [new Float64Array(COUNT).fill(7), new Float64Array(3 * COUNT).fill(7)]
    for (const bad of BAD_COUNTS) {
      refused(() => field.query(points(), bad, distances, gradients), /^query: .* points asked/, `count ${bad}`)
      refused(() => field.query(points(), bad, distances), /^query: .* points asked/, `count ${bad}, no gradients`)
    }
    for (const bad of BAD_ARRAYS as never[]) {
      refused(() => field.query(bad, COUNT, distances, gradients), /^query: /, `points ${bad}`)
      refused(() => field.query(points(), COUNT, bad, gradients), /^query: /, `distances ${bad}`)
      refused(() => field.query(bad, COUNT, distances), /^query: /, `points ${bad}, no gradients`)
      refused(() => field.query(points(), COUNT, bad), /^query: /, `distances ${bad}, no gradients`)
      // Left out, they are not asked for.
      if (bad === undefined) continue
      refused(() => field.query(points(), COUNT, distances, bad), /^query: /, `gradients ${bad}`)
    }
    expect([...distances, ...gradients].every((value) => value === 7)).toBe(true)
    expect(answers(field)).toEqual(before)
    field.dispose?.()
  })

  it('answers a point that is not finite with NaN, and the others as ever', async () => {
    const field = await make()
    const before = answers(field)
    expect([...before.distances, ...before.gradients].every(Number.isFinite)).toBe(true)
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      for (let axis = 0; axis < 3; axis++) {
        const broken = points()
        broken[6 + axis] = bad
        const { distances, gradients } = answers(field, broken)
        expect(distances[2], `${bad} on axis ${axis}`).toBeNaN()
        for (let k = 6; k < 9; k++) expect(gradients[k], `slope ${k - 6}, ${bad} on axis ${axis}`).toBeNaN()
        distances[2] = before.distances[2]
        gradients.set(before.gradients.subarray(6, 9), 6)
        expect({ distances, gradients }).toEqual(before)
      }
    }
    field.dispose?.()
  })

  it('refuses to be posed by what is not finite, too little or of another type, and stays as it was', async () => {
    const field = await make()
    for (const { verb, item, arrays, pose, loose = [] } of field.posings ?? []) {
      const copies = () => Object.fromEntries(Object.entries(arrays).map(([name, values]) => [name, values.slice()]))
      pose(copies())
      const before = answers(field)
      for (const [name, values] of Object.entries(arrays)) {
        for (const bad of [Number.NaN, Infinity, -Infinity]) {
          for (let i = 0; i < values.length; i += values.length > 60 ? 7 : 1) {
            const broken = copies()
            broken[name][i] = bad
            refused(() => pose(broken), item, `${verb}: ${name}[${i}] is ${bad}`)
          }
        }
        const others: unknown[] = [values.slice(1), values.slice(0, values.length - 3), [], undefined, null, 7]
        if (!loose.includes(name)) others.push([...values], new Int32Array(values.length), 'abc', {})
        if (verb.startsWith('SkinnedCollider')) others.length = 0
        for (const other of others) {
          const what = `${verb}: ${name} is ${Object.prototype.toString.call(other)}`
          refused(() => pose({ ...copies(), [name]: other } as never), /./, what)
        }
      }
      // A collider of three.js reads its joints themselves.
      if (verb.startsWith('SkinnedCollider')) expect(answers(field)).toEqual(before)
      else {
        expect(answers(field), `${verb} left it as it was`).toEqual(before)
        pose(copies())
        expect(answers(field)).toEqual(before)
      }
    }
    field.dispose?.()
  })
})

describe.each(Object.entries(EVERY_FIELD))('%s', (_, make) => {
  it('refuses a state that is none or of another kind by what it takes, and stays as it was', async () => {
    const field = await make()
    for (const { verb, arrays, pose, states } of field.posings ?? []) {
      if (!states) continue
      pose(arrays)
      const before = answers(field)
      const { update, keys } = states
      const taken = new RegExp(`^[a-z ]+: the state is .*; pass \\{ .*\\b${keys[0]}\\b.* \\}\\.$`)
      const [values] = Object.values(arrays)
      const bare: unknown[] = [undefined, null, 7, 'code', true, [], {}, [values], values, () => values]
      const others = STATE_KEYS.filter((key) => !keys.includes(key)).map((key) => ({ [key]: values }))
      const misspelt = keys.map((key) => ({ [key.toUpperCase()]: values }))
      for (const state of [...bare, ...others, ...misspelt]) {
        refused(() => update(state as never), taken, `${verb} of ${JSON.stringify(state)?.slice(0, 40)}`)
      }
      expect(answers(field), `${verb} left it as it was`).toEqual(before)
    }
    field.dispose?.()
  })
})

describe('nearest triangles', () => {
  const mesh = bumpyTorus(12, 8)

  it('refuse what is no question', () => {
    const nearest = new NearestTriangles(mesh)
    const triangleIds = new Uint32Array(COUNT)
    for (const bad of BAD_COUNTS) refused(() => nearest.find(points(), bad, { triangleIds }), /^query: /, `${bad}`)
    for (const bad of BAD_ARRAYS as never[]) {
      refused(() => nearest.find(bad, COUNT, { triangleIds }), /^query: /, `points ${bad}`)
      refused(() => nearest.find(points(), COUNT, { triangleIds: bad }), /^query: /, `ids ${bad}`)
      if (bad) refused(() => nearest.find(points(), COUNT, { triangleIds, distances: bad }), /^query: /, `${bad}`)
    }
  })
})

describe('a network of onnxruntime', () => {
  it('refuses what is no question', async () => {
    const network = await createOrtNetwork(tinyOnnx([1, -2, 0.5]))
    const [values, gradients] = [new Float64Array(COUNT), new Float64Array(3 * COUNT)]
    for (const bad of BAD_COUNTS) {
      await expect(network.query(points(), bad, [0, 0], values)).rejects.toThrow(/^query: /)
    }
    for (const bad of BAD_ARRAYS as never[]) {
      await expect(network.query(bad, COUNT, [0, 0], values)).rejects.toThrow(/^query: /)
      await expect(network.query(points(), COUNT, [0, 0], bad)).rejects.toThrow(/^query: /)
      if (bad === undefined) continue
      await expect(network.query(points(), COUNT, [0, 0], values, bad)).rejects.toThrow(/^query: /)
    }
    await expect(network.query(points(), COUNT, [0, Number.NaN], values, gradients)).rejects.toThrow('code entry 1')
    await network.dispose()
  })
})
