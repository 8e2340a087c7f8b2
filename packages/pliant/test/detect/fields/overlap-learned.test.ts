/** Whether trained fields touch others, proved: against the exact surfaces that they were trained on. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { overlapCells } from '../../../src/detect/fields/overlap-cells.js'
import { ExactMeshField } from '../../../src/exact/mesh-distance.js'
import { placed } from '../../../src/field/shapes/place.js'
import { sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import { TransformedField } from '../../../src/field/transformed.js'
import { decode, load } from '../../../src/index.js'
import { type Box, boxCentre, boxDiagonal, boxExpand, boxOfPoints, type Vec3 } from '../../../src/math/box.js'
import { gatherVertices } from '../../../src/mesh/gather-vertices.js'
import { surfaceOfTets } from '../../../src/mesh/tet-mesh.js'

const folder = new URL('../../../../../apps/studio/public/artifacts/', import.meta.url)
const bytesOf = (name: string): Uint8Array => readFileSync(new URL(`${name}.safetensors`, folder))

async function body(name: string) {
  const { body } = await decode(bytesOf(name), 'elastic-body')
  const { nodeOfVertex, triangles } = surfaceOfTets(body.mesh)
  const positions = new Float64Array(3 * nodeOfVertex.length)
  gatherVertices(body.modal.rest, nodeOfVertex, positions)
  const field = await load(bytesOf(name), { kind: 'elastic-body', bounds: 'all' })
  field.update({ nodes: body.modal.rest })
  return { field, positions, exact: new ExactMeshField({ positions, triangles }), box: boxOfPoints(positions) }
}

async function bentBar() {
  const bar = await decode(bytesOf('bar'), 'linear-modes')
  const code = [0.6, -0.4, 0.7]
  const positions = new Float64Array(bar.model.rest.length)
  bar.model.positions(code, positions)
  const field = await load(bar, { bounds: 'all' })
  field.update({ code })
  const exact = new ExactMeshField({ positions, triangles: bar.model.triangles })
  return { field, positions, exact, box: boxOfPoints(positions) }
}

/** The place on a ray where the exact field has this value. */
function placeAt(exact: ExactMeshField, from: Vec3, along: Vec3, distance: number): Vec3 {
  const value = new Float64Array(1)
  let [near, far] = [0, 10]
  for (let i = 0; i < 60; i++) {
    const t = (near + far) / 2
    exact.query(
      Float64Array.from(from, (start, k) => start + t * along[k]),
      1,
      value,
    )
    if (value[0] < distance) near = t
    else far = t
  }
  return from.map((start, k) => start + near * along[k]) as unknown as Vec3
}

function shared(a: Box, b: Box): Box {
  return {
    lower: a.lower.map((low, k) => Math.max(low, b.lower[k])) as unknown as Vec3,
    upper: a.upper.map((high, k) => Math.min(high, b.upper[k])) as unknown as Vec3,
  }
}

describe.each([
  ['a network in the frames of parts', () => body('bunny'), [[1, 0.2, 0.1]]],
  [
    'a network with a warp, bent',
    bentBar,
    [
      [1, 0.2, 0.1],
      [-0.3, 1, 0.2],
    ],
  ],
] as [string, typeof bentBar, Vec3[]][])('%s and a ball', (_, make, directions) => {
  const gap = 0.01

  it('are proved apart where the ball is a little clear of the exact surface, and touching where it is not', async () => {
    const { field, exact, box } = await make()
    const size = boxDiagonal(box)
    const radius = 0.04 * size
    for (const along of directions) {
      const test = (distance: number) => {
        const at = placeAt(exact, boxCentre(box), along, radius + distance * size)
        const ball = fieldOf(placed(sphere(radius), { at }))
        const around = boxExpand({ lower: at, upper: at }, radius)
        return overlapCells(ball, field, shared(around, boxExpand(box, 0.01 * size)), { levels: 6, volume: false })
      }
      expect(test(gap).touches, `apart along ${along}`).toBe(false)
      expect(test(-gap).touches, `touching along ${along}`).toBe(true)
      // Thinner than the cells of so few levels.
      const few = placeAt(exact, boxCentre(box), along, radius + gap * size)
      const around = boxExpand({ lower: few, upper: few }, radius)
      const ball = fieldOf(placed(sphere(radius), { at: few }))
      expect(overlapCells(ball, field, around, { levels: 2, volume: false }).touches).toBeUndefined()
    }
  })
})

describe('two networks', () => {
  it('are proved apart and touching as their exact surfaces are, one of them turned', async () => {
    const [bunny, hand] = [await body('bunny'), await body('hand')]
    const size = boxDiagonal(bunny.box)
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)]
    const turned = (by: number): { frame: Float64Array; moved: Float64Array } => {
      const frame = Float64Array.of(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, by, 0.05, 0, 1)
      const moved = hand.positions.map((_, i) => {
        const [k, at] = [i % 3, i - (i % 3)]
        const p = hand.positions
        return frame[k] * p[at] + frame[4 + k] * p[at + 1] + frame[8 + k] * p[at + 2] + frame[12 + k]
      })
      return { frame, moved }
    }
    /** Of the hand's vertices in the bunny's exact field. */
    const least = (moved: Float64Array): number => {
      const distances = new Float64Array(moved.length / 3)
      bunny.exact.query(moved, distances.length, distances)
      return Math.min(...distances)
    }
    const at = (gap: number): number => {
      let [near, far] = [0, 1]
      for (let i = 0; i < 30; i++) {
        const by = (near + far) / 2
        if (least(turned(by).moved) < gap * size) near = by
        else far = by
      }
      return near
    }
    const test = (gap: number) => {
      const { frame, moved } = turned(at(gap))
      const placedHand = new TransformedField(hand.field, frame)
      const around = shared(boxOfPoints(moved), bunny.box)
      return overlapCells(bunny.field, placedHand, boxExpand(around, 0.005 * size), { levels: 6, volume: false })
    }
    expect(test(0.05).touches).toBe(false)
    expect(test(-0.02).touches).toBe(true)
  })
})
