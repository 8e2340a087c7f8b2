/** The trained files of the studio keep the promises of a field, in a shape that is not their rest. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import type { MovingField, SignedField } from '../../src/field/signed-field.js'
import { decode, load } from '../../src/index.js'
import type { ElasticField } from '../../src/learned/trained-field.js'
import { type Box, boxDiagonal, boxOfPoints } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { surfaceOfTets } from '../../src/mesh/tet-mesh.js'
import { skinnedMeshField } from '../../src/model/mesh-fields.js'
import { conformField } from '../field/conformance.js'

const folder = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
const bytes = (name: string): Uint8Array => readFileSync(new URL(`${name}.safetensors`, folder))

/** Points of the box that lie deep inside and far outside by the exact surface, as far as the field has learned. */
function sidesOf(exact: SignedField, box: Box, clear: number) {
  const random = randomStream(5, 1)
  const points = Float64Array.from({ length: 3000 }, (_, i) => random.between(box.lower[i % 3], box.upper[i % 3]))
  const distances = new Float64Array(1000)
  exact.query(points, 1000, distances)
  const chosen = (fits: (distance: number) => boolean): [number, number, number][] =>
    [...distances.keys()]
      .filter((i) => fits(distances[i]))
      .slice(0, 20)
      .map((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]])
  return { inside: chosen((d) => d < -clear), outside: chosen((d) => d > clear) }
}

/** Cells of grids meet in kinks, and answers are in single precision. */
const learned = { gradientTolerance: 0.1, kinks: 0.2, bounded: true, seed: 11 }

const bar = await decode(bytes('bar'), 'linear-modes')
const bent = [0.6, -0.4, 0.7]
const bentBar = new Float64Array(bar.model.rest.length)
bar.model.positions(bent, bentBar)
const barBox = boxOfPoints(bentBar)
conformField({
  ...learned,
  name: 'the trained bar, bent',
  make: async () => {
    const field = await load(bar, { bounds: 'all' })
    field.update({ code: bent })
    return field
  },
  box: barBox,
  step: 1e-4 * boxDiagonal(barBox),
  ...sidesOf(new ExactMeshField({ positions: bentBar, triangles: bar.model.triangles }), barBox, 0.01),
})

const body = (await decode(bytes('bunny'), 'elastic-body')).body!
const { nodeOfVertex, triangles } = surfaceOfTets(body.mesh)
/** Stretched, turned by a right angle and far from the origin. */
const carried = (nodes: ArrayLike<number>): Float64Array =>
  Float64Array.from(nodes, (_, i) => {
    const at = i - (i % 3)
    return [3 - nodes[at + 1], 2 + 1.1 * nodes[at], nodes[at + 2] - 5][i % 3]
  })
const nodes = carried(body.modal.rest)
const bunnySurface = new Float64Array(3 * nodeOfVertex.length)
gatherVertices(nodes, nodeOfVertex, bunnySurface)
const bunnyBox = boxOfPoints(bunnySurface)
const loadBunny = async (): Promise<ElasticField> => (await load(bytes('bunny'), { bounds: 'all' })) as ElasticField
conformField({
  ...learned,
  name: 'the trained bunny, stretched, turned and moved',
  make: async () => {
    const field = await loadBunny()
    field.update({ nodes })
    return field
  },
  box: bunnyBox,
  step: 1e-4 * boxDiagonal(bunnyBox),
  ...sidesOf(new ExactMeshField({ positions: bunnySurface, triangles }), bunnyBox, 0.01 * boxDiagonal(bunnyBox)),
})

const human = await decode(bytes('humanoid'), 'character')
const pose = human.heldOut[7]
const exactHuman = skinnedMeshField(
  human.character,
  new ExactMeshField({ positions: restOf(), triangles: human.character.triangles }),
)
exactHuman.update({ joints: pose })
const posed = new Float64Array(3 * human.character.vertexCount)
human.character.positionsOfPose(pose, posed)
const humanBox = boxOfPoints(posed)
conformField({
  ...learned,
  name: 'the trained humanoid in a pose of a clip it never saw',
  make: async () => {
    const field = await load(human, { bounds: 'all' })
    field.update(human.character.skeleton.stateOf(pose))
    return field
  },
  box: humanBox,
  step: 1e-4 * boxDiagonal(humanBox),
  ...sidesOf(exactHuman, humanBox, 0.01),
})

conformField({
  name: 'the exact humanoid in that pose',
  make: () => exactHuman,
  box: humanBox,
  gradientTolerance: 1e-3,
  kinks: 0.03,
  bounded: true,
  ...sidesOf(exactHuman, humanBox, 0.01),
})

describe('frames', () => {
  it('a body that is moved and turned answers as it did, where it then is', async () => {
    const field = await loadBunny()
    const random = randomStream(3, 2)
    const points = Float64Array.from({ length: 900 }, (_, i) =>
      random.between(bunnyBox.lower[i % 3], bunnyBox.upper[i % 3]),
    )
    const [here, there] = [
      answersOf(field, { nodes }, points),
      answersOf(field, { nodes: turned(nodes) }, turned(points)),
    ]
    for (let i = 0; i < 300; i++) expect(Math.abs(here[i] - there[i]), `point ${i}`).toBeLessThan(2e-6)
  })

  it('a code stands for the nodes that its modes give', async () => {
    const field = await loadBunny()
    const code = Float64Array.from({ length: field.codeSize }, (_, i) => 0.003 * Math.sin(1 + i))
    const shaped = new Float64Array(body.modal.rest.length)
    body.modal.positions(code, shaped)
    const box = boxOfPoints(shaped)
    const random = randomStream(3, 3)
    const points = Float64Array.from({ length: 900 }, (_, i) => random.between(box.lower[i % 3], box.upper[i % 3]))
    const [byCode, byNodes] = [answersOf(field, { code }, points), answersOf(field, { nodes: shaped }, points)]
    for (let i = 0; i < 300; i++) expect(Math.abs(byCode[i] - byNodes[i]), `point ${i}`).toBeLessThan(2e-6)
  })
})

function restOf(): Float64Array {
  const positions = new Float64Array(3 * human.character.vertexCount)
  human.character.positionsOfPose(human.character.skeleton.rest, positions)
  return positions
}

function answersOf<State>(field: MovingField<State>, state: State, points: Float64Array): Float64Array {
  const out = new Float64Array(points.length / 3)
  field.update(state)
  field.query(points, out.length, out)
  return out
}

/** By a rotation that leaves no axis where it was, and a shift. */
function turned(points: Float64Array): Float64Array {
  const [c, s] = [Math.cos(1.1), Math.sin(1.1)]
  return points.map((_, i) => {
    const at = i - (i % 3)
    const [x, y, z] = [points[at], points[at + 1], points[at + 2]]
    return [c * x - s * z + 40, y - 7, s * x + c * z + 1][i % 3]
  })
}
