/** The visitor's own body: what is read, and what is refused, in one line. */
import { fieldOf } from 'pliant/shapes'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_SHAPES, readOwnShape } from '../../../src/pages/sdf-contact/own-shape.js'

const ball = '{ "shape": "sphere", "radius": 0.2 }'
const repeated = (depth: number): string =>
  depth === 0
    ? '{ "shape": "sphere", "radius": 0.001 }'
    : `{ "shape": "repeated", "spacing": [1, 1, 1], "counts": [2, 2, 2], "of": ${repeated(depth - 1)} }`
const many = (count: number): string =>
  `{ "shape": "union", "of": [${Array.from({ length: count }, () => '{"shape":"sphere","radius":0.1}').join(',')}] }`

describe('the body of one', () => {
  it('is read as it is written', () => {
    const field = fieldOf(readOwnShape(ball))
    const distances = new Float64Array(2)
    field.query(Float64Array.of(0, 0, 0, 0.5, 0, 0), 2, distances)
    expect([...distances]).toEqual([-0.2, 0.3])
  })

  it.each(Object.entries(EXAMPLE_SHAPES))('may begin with the %s, which falls with the others', (_, text) => {
    const { lower, upper } = readOwnShape(text).box
    const size = Math.hypot(...upper.map((high, k) => high - lower[k]))
    expect(size).toBeGreaterThan(0.2)
    expect(size).toBeLessThan(0.9)
  })

  it('is the first example where nothing is written', () => {
    expect(readOwnShape('  ').box).toEqual(readOwnShape(EXAMPLE_SHAPES['jack']).box)
  })
})

describe('what is refused', () => {
  it.each([
    ['{ "shape": "sphere", ', /^shape: this is no JSON \(.+\); mind commas, quotes and brackets\.$/],
    ['[]', /^shape: an array.* is no shape; give an object|^shape: .*is no shape/],
    ['null', /is no shape; give an object/],
    ['{ "shape": "sphere", "radius": "large" }', /^shape: radius of the sphere is .*large.*; give a number\.$/],
    ['{ "shape": "sphere", "radius": 1e400 }', /^shape: radius of the sphere is Infinity; give a number\.$/],
    [
      '{ "shape": "sphere", "radius": 40 }',
      /^shape: it is 139 m across; make it 0\.06 to 1\.2 m, for instance by "scale"\.$/,
    ],
    ['{ "shape": "sphere", "radius": 1e-9 }', /^shape: it is 3\.46e-9 m across; /],
    ['{ "shape": "half-space", "normal": [0, 1, 0] }', /^shape: it has no end; cut it by an intersection/],
    ['{ "shape": "__proto__" }', /^shape: there is no shape .*; choose from sphere, box, /],
    [many(120), /^shape: a distance asks 121 shapes; make it of 120 or fewer\.$/],
    [repeated(4), /^shape: a distance asks 4681 shapes; /],
    [repeated(60), /^shape: a distance asks millions of shapes; /],
    [`${'{"shape":"onion","thickness":0.01,"of":'.repeat(105)}${ball}${'}'.repeat(105)}`, /nested deeper than 100/],
    [`${'['.repeat(9000)}${']'.repeat(9000)}`, /^shape: /],
    [' '.repeat(20_001), /^shape: 20001 characters of JSON; make it 20000 or fewer\.$/],
  ])('%.60s', (text, message) => {
    let told = ''
    try {
      readOwnShape(text)
    } catch (error) {
      told = (error as Error).message
    }
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })
})
