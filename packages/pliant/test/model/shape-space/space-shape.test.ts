/** A space of shapes as exact tests and the paper's detector take it. */
import { expect, test } from 'vitest'
import { posedSelfContact } from '../../../src/exact/self-contact/posed-self-contact.js'
import { createShapeSpace, exactShapeSpace } from '../../../src/learned/create-shape-space.js'
import { randomStream } from '../../../src/math/random.js'
import { spaceDomains } from '../../../src/model/shape-space/space-domains.js'
import { spaceShape } from '../../../src/model/shape-space/space-shape.js'
import { CODE_SIZE, exampleSpace } from '../../artifact/shape-contact-example.js'

const data = exampleSpace()
const random = randomStream(52)
const anyCode = () => Float64Array.from({ length: CODE_SIZE }, () => random.between(-1, 1))

test('exactShapeSpace says what createShapeSpace says in plain code, to the last digit, at once (seed 52)', async () => {
  const [exact, scalar] = [exactShapeSpace(data), await createShapeSpace(data, { backend: 'scalar' })]
  for (let round = 0; round < 3; round++) {
    const code = anyCode()
    const [a, b] = [exact, scalar].map((space) => {
      const [positions, gradient, back] = [new Float64Array(108), new Float64Array(5), new Float64Array(5)]
      space.positions(code, positions)
      space.pullBack(code, positions, gradient)
      space.encode(positions, back)
      return { positions, gradient, back }
    })
    expect(a).toEqual(b)
    expect(Math.hypot(...a.gradient)).toBeGreaterThan(0)
  }
})

test('exactShapeSpace refuses parts whose networks do not fit, and weights that are missing', () => {
  const [whole, first, second] = data.parts
  const parts = [whole, { ...first, codeSize: 3 }, second]
  expect(() => exactShapeSpace({ ...data, parts })).toThrow(
    'shape space: part 1 has 3 code values, its networks give 2 and take 2.',
  )
  const fewer = { ...first, vertices: first.vertices.slice(1) }
  expect(() => exactShapeSpace({ ...data, parts: [whole, fewer, second] })).toThrow(
    /^shape space: part 1 has \d+ vertices, its networks take \d+ numbers and give \d+; nine for each/,
  )
  const bare = { ...first, decoder: { ...first.decoder, tensors: new Map() } }
  expect(() => exactShapeSpace({ ...data, parts: [whole, bare, second] })).toThrow(/dense\.0\.weight/)
})

test('domains have their own numbers of the code, behind those of the whole, and weights by attention', () => {
  const { names, entries, weights } = spaceDomains(data)
  expect(names).toEqual(['domain 1', 'domain 2'])
  expect(entries).toEqual([[2, 3], [4]])
  expect(weights).toHaveLength(2 * 36)
  for (let vertex = 0; vertex < 36; vertex++) {
    for (const domain of [0, 1]) {
      const { vertices, attention } = data.parts[domain + 1]
      const at = vertices.indexOf(vertex)
      expect(weights[2 * vertex + domain]).toBe(at < 0 ? 0 : attention[at])
    }
  }
})

test('spaceShape has the shapes of the space, with the reference at rest, and tells neighbours by it', () => {
  const space = exactShapeSpace(data)
  const patches = Uint16Array.from({ length: 68 }, (_, triangle) => triangle % 3)
  const shape = spaceShape(space, patches, { along: 0.1, near: 0.02 })
  const code = anyCode()
  const [found, due, some] = [new Float64Array(108), new Float64Array(108), new Float64Array(6)]
  shape.positions(code, found)
  space.positions(code, due)
  expect(found).toEqual(due)
  shape.movedPoints([7, 2]).positions(code, some)
  expect([...some]).toEqual([...due.subarray(21, 24), ...due.subarray(6, 9)])
  const { rest, rule } = posedSelfContact(shape)
  expect(rest.positions).toEqual(data.reference.positions)
  expect(rule.parts).toEqual(patches)
  // The shape in the middle of the codes is another.
  space.positions(new Float64Array(CODE_SIZE), due)
  expect(Math.max(...due.map((value, i) => Math.abs(value - rest.positions[i])))).toBeGreaterThan(1e-3)
})
