import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyOfCode, bodyOfNodes, type MovingBody } from '../../../src/detect/fields/deforming-body.js'
import { DeformingPair, type DeformingPairOptions } from '../../../src/detect/fields/deforming-pair.js'
import { ExactMeshField } from '../../../src/exact/index.js'
import type { ContactList } from '../../../src/field/contact.js'
import { followingField } from '../../../src/field/following.js'
import type { CodeState, MovingField } from '../../../src/field/signed-field.js'
import { boxOfPoints, decode, load, type TriangleMesh, type Vec3 } from '../../../src/index.js'
import { boxDiagonal } from '../../../src/math/box.js'
import { composeMat4 } from '../../../src/math/mat4.js'
import { randomStream } from '../../../src/math/random.js'
import { surfaceOfTets } from '../../../src/mesh/tet-mesh.js'
import { LinearModes } from '../../../src/model/linear-modes.js'
import type { ReducedModel } from '../../../src/model/reduced-model.js'
import { ballMesh } from '../../respond/scenes.js'

const [bar, bunny, humanoid] = ['bar', 'bunny', 'humanoid'].map(
  (name) => new URL(`../../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url),
)

function pose(at: Vec3, turn: readonly number[] = [0, 0, 0, 1]): Float64Array {
  const out = new Float64Array(16)
  const length = Math.hypot(...turn)
  composeMat4(
    at,
    turn.map((value) => value / length),
    [1, 1, 1],
    0,
    out,
    0,
  )
  return out
}

/** The model's own triangles at its code. */
function exactOf(model: ReducedModel): MovingField<CodeState> {
  const vertices = new Float64Array(3 * model.vertexCount)
  model.positions(new Float64Array(model.codeSize), vertices)
  const mesh = new ExactMeshField({ positions: vertices.slice(), triangles: model.triangles })
  return followingField(mesh, ({ code }: CodeState) => {
    model.positions(code, vertices)
    return { vertices }
  })
}

/** A ball of radius 1 that its one code stretches along x by as much. */
function stretchyBall(): MovingBody<CodeState> {
  const { positions: rest, triangles } = surfaceOfTets(ballMesh(1, 6, [0, 0, 0]))
  const modes = rest.map((value, i) => (i % 3 === 0 ? value : 0))
  const bounds = { lower: Float64Array.of(-0.5), upper: Float64Array.of(0.5) }
  const model = new LinearModes({ rest: Float64Array.from(rest), modes, triangles, bounds })
  return bodyOfCode(model, exactOf(model))
}

function stillBody({ positions, triangles }: TriangleMesh): MovingBody<CodeState> {
  const rest = Float64Array.from(positions)
  const none = new Float64Array(0)
  const model = new LinearModes({ rest, modes: none, triangles, bounds: { lower: none, upper: none } })
  return bodyOfCode(model, exactOf(model))
}

/** A roof along z from -2 to 2, its ridge at the origin's height, upright or turned upside down across. */
function roof(isBelow: boolean): TriangleMesh {
  const ends = [-2, 2].flatMap((z) =>
    [
      [-1, -1, z],
      [1, -1, z],
      [0, 0, z],
    ].flat(),
  )
  const triangles = Uint32Array.of(0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5)
  if (isBelow) return { positions: Float64Array.from(ends), triangles }
  // Half a turn about the line between x and z: x to z, z to x, y to -y.
  const turned = ends.map((_, i) => (i % 3 === 1 ? -ends[i] : ends[i - (i % 3) + 2 - (i % 3)]))
  return { positions: Float64Array.from(turned), triangles }
}

const separations = (list: ContactList): number[] => Array.from(list.separations.subarray(0, list.count))

describe('two bodies of codes', () => {
  it('meet where their codes stretch them to, and only there', () => {
    const [a, b] = [stretchyBall(), stretchyBall()]
    const pair = new DeformingPair(a, b)
    const away = pose([2.3, 0, 0])
    expect(pair.update(undefined, away).count).toBe(0)
    a.update({ code: [0.25] })
    expect(pair.update(undefined, away).count).toBe(0)
    b.update({ code: [0.15] })
    const { count } = pair.update(undefined, away)
    expect(count).toBeGreaterThan(1)
    const deepest = pair.contacts.at(0)
    // Facets around the tip are a little inclined, so that the way out is as much shorter.
    expect(deepest.separation).toBeCloseTo(2.3 - 1.25 - 1.15, 2)
    expect(Array.from(deepest.normal)).toEqual([expect.closeTo(1, 1), expect.closeTo(0, 0), expect.closeTo(0, 0)])
    expect(deepest.pointA[0] - deepest.pointB[0]).toBeCloseTo(0.1, 2)
    b.update({ code: [-0.3] })
    expect(pair.update(undefined, away).count).toBe(0)
  })

  it('are told within a gap, and by a margin deeper', () => {
    const [a, b] = [stretchyBall(), stretchyBall()]
    const apart = pose([2.02, 0, 0])
    const near = new DeformingPair(a, b, { gap: 0.05 }).update(undefined, apart)
    expect(near.at(0).separation).toBeCloseTo(0.02, 9)
    const wide = new DeformingPair(a, b, { margin: 0.05 }).update(undefined, apart)
    expect(wide.at(0).separation).toBeCloseTo(-0.03, 9)
  })

  it('have the same contacts whatever frame the world has', () => {
    const [a, b] = [stretchyBall(), stretchyBall()]
    const pair = new DeformingPair(a, b)
    const here = separations(pair.update(undefined, pose([1.9, 0.1, 0])))
    // A quarter turn about z: x goes to y.
    const turned = separations(pair.update(pose([5, 6, 7], [0, 0, 1, 1]), pose([4.9, 7.9, 7], [0, 0, 1, 1])))
    expect(turned.length).toBe(here.length)
    for (let i = 0; i < here.length; i++) expect(turned[i]).toBeCloseTo(here[i], 9)
    expect(pair.contacts.normals[1]).toBeGreaterThan(0.9)
  })
})

describe('contacts', () => {
  it('are found where two ridges cross and no vertex of either is inside the other', () => {
    const [a, b] = [stillBody(roof(true)), stillBody(roof(false))]
    const deeper = pose([0, -0.2, 0])
    expect(new DeformingPair(a, b, { contact: 'points' }).update(undefined, deeper).count).toBe(0)
    const pair = new DeformingPair(a, b)
    pair.update(undefined, deeper)
    expect(pair.contacts.count).toBeGreaterThan(0)
    expect(pair.contacts.at(0).separation).toBeCloseTo(-0.2, 2)
    expect(pair.contacts.at(0).normal[1]).toBeGreaterThan(0.9)
  })

  it('push as all do when they are thinned out', () => {
    const [a, b] = [stretchyBall(), stretchyBall()]
    const push = (options: DeformingPairOptions): number[] => {
      const list = new DeformingPair(a, b, { contact: 'points', ...options }).update(undefined, pose([1.7, 0.1, 0.05]))
      const sum = [0, 0, 0]
      for (let c = 0; c < list.count; c++) {
        for (let k = 0; k < 3; k++) sum[k] -= list.areas[c] * list.separations[c] * list.normals[3 * c + k]
      }
      return [...sum, list.count]
    }
    const [all, few] = [push({}), push({ maxContacts: 5 })]
    expect(all[3]).toBeGreaterThan(10)
    expect(few[3]).toBe(5)
    for (let k = 0; k < 3; k++) expect(Math.abs(few[k] - all[k])).toBeLessThan(0.02 * all[0])
  })

  it('keep their number while they touch, and get another when they touch again', () => {
    const pair = new DeformingPair(stretchyBall(), stretchyBall())
    const [touching, apart] = [pose([1.9, 0, 0]), pose([3, 0, 0])]
    const first = pair.update(undefined, touching).ids[0]
    expect(pair.update(undefined, pose([1.88, 0, 0])).ids[0]).toBe(first)
    expect(pair.update(undefined, apart).count).toBe(0)
    expect(pair.update(undefined, touching).ids[0]).not.toBe(first)
  })

  it('are defined for bodies in the same place and for one within the other', () => {
    const [a, b] = [stretchyBall(), stretchyBall()]
    const pair = new DeformingPair(a, b)
    for (const at of [pose([0, 0, 0]), pose([1e-3, 0, 0])]) {
      const { count, normals, separations: ways } = pair.update(undefined, at)
      expect([...normals.subarray(0, 3 * count), ...ways.subarray(0, count)].every(Number.isFinite)).toBe(true)
    }
    const small = stillBody(surfaceOfTets(ballMesh(0.3, 3, [0, 0, 0])))
    const within = new DeformingPair(a, small, { maxContacts: 4 }).update(undefined, pose([0.2, 0, 0]))
    expect(within.count).toBe(4)
    expect(within.at(0).separation).toBeLessThan(-0.6)
  })
})

it.skipIf(!existsSync(bar))('two trained bars touch as deep as their triangles, at their own codes', async () => {
  const artifact = await decode(readFileSync(bar), 'linear-modes')
  const [model, size] = [artifact.model, boxDiagonal(boxOfPoints(artifact.model.rest))]
  const fields = [await load(artifact), await load(artifact)]
  const learned = fields.map((field) => bodyOfCode(model, field))
  const exact = [0, 1].map(() => bodyOfCode(model, exactOf(model)))
  const [byLearned, byExact] = [learned, exact].map(([a, b]) => new DeformingPair(a, b))
  const gap = new DeformingPair(exact[0], exact[1], { contact: 'points', gap: 10 * size })
  const random = randomStream(5)
  for (let n = 0; n < 6; n++) {
    const codes = [0, 1].map(() => Array.from({ length: model.codeSize }, () => random.between(-1, 1)))
    for (const bodies of [learned, exact]) for (const [i, body] of bodies.entries()) body.update({ code: codes[i] })
    const turn = [0, 1, 2, 3].map(() => random.normal())
    let height = size
    const at = (): Float64Array => pose([0, height, 0], turn)
    // Nothing is nearer than the least distance.
    for (let left = size; left > 1e-3 * size; height -= left) left = separations(gap.update(undefined, at()))[0]
    height -= 0.02 * size
    const [found, truth] = [byLearned, byExact].map((pair) => separations(pair.update(undefined, at()))[0])
    expect(truth).toBeLessThan(-0.005 * size)
    expect(Math.abs(found - truth)).toBeLessThan(0.01 * size)
  }
  for (const field of fields) field.dispose()
})

it.skipIf(![humanoid, bunny].every((file) => existsSync(file)))(
  'the hand of a trained character meets a soft body, each by its own code',
  async () => {
    const character = await decode(readFileSync(humanoid), 'character')
    const soft = await decode(readFileSync(bunny), 'elastic-body')
    const [characterField, softField] = [await load(character), await load(soft)]
    const model = character.character
    const bodies = [bodyOfCode(model, characterField), bodyOfCode(soft.model, softField)] as const
    const exact = [bodyOfCode(model, exactOf(model)), bodyOfCode(soft.model, exactOf(soft.model))] as const
    const [byLearned, byExact] = [bodies, exact].map(([a, b]) => new DeformingPair(a, b, { contact: 'points' }))
    const size = boxDiagonal(boxOfPoints(soft.model.rest))
    // An arm raised, and a bunny on its fingers.
    const code = model.bounds.lower.map((lower, i) => (i % 5 === 0 ? 0.8 * lower + 0.2 * model.bounds.upper[i] : 0))
    for (const [body] of [bodies, exact]) body.update({ code })
    const tip = Float64Array.from(bodies[0].positions).reduce(
      (best, x, i, all) => (i % 3 === 0 && x > all[best] ? i : best),
      0,
    )
    const [x, y, z] = bodies[0].positions.slice(tip, tip + 3)
    const [found, truth] = [byLearned, byExact].map(
      (pair) => separations(pair.update(undefined, pose([x, y - 0.14, z])))[0],
    )
    characterField.dispose()
    softField.dispose()
    expect(truth).toBeLessThan(-0.005 * size)
    expect(Math.abs(found - truth)).toBeLessThan(0.02 * size)
  },
)

describe('what cannot be', () => {
  const ball = (): MovingBody<CodeState> => stretchyBall()

  it('is refused in one line', () => {
    const [a, b] = [ball(), ball()]
    expect(() => new DeformingPair(a, b, { maxContacts: 0 })).toThrow(/maxContacts is 0; give a positive number/)
    expect(() => new DeformingPair(a, b, { contact: 'vertices' as never })).toThrow(/contact is 'vertices'/)
    expect(() => new DeformingPair(a, { ...b, triangles: Uint32Array.of(0, 1, 9999) })).toThrow(/B.*9999/)
    expect(() => new DeformingPair(a, b).update([2, ...pose([0, 0, 0]).slice(1)])).toThrow(/pose of A scales/)
    expect(() => new DeformingPair(a, b).update(undefined, [1])).toThrow(/pose of B/)
    expect(() => a.update({ nodes: [] } as never)).toThrow(/code/)
    expect(() =>
      bodyOfNodes({ nodeOfVertex: Uint32Array.of(0), triangles: a.triangles }, Float64Array.of(1, 2), a.field as never),
    ).toThrow()
  })

  it('is named: a vertex that is nowhere, a field that answers NaN', () => {
    const [a, b] = [ball(), ball()]
    const pair = new DeformingPair(a, b)
    b.positions[4] = Number.NaN
    expect(() => pair.update()).toThrow(/B: position of vertex 1/)
    const silent = {
      ...ball(),
      field: {
        bounds: () => undefined,
        query: (_: unknown, n: number, d: Float64Array) => void d.fill(Number.NaN, 0, n),
      },
    }
    expect(() => new DeformingPair(a, silent as never).update()).toThrow(/field of B answers NaN at vertex 0 of A/)
  })
})
