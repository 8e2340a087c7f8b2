import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { afterAll, expect, it } from 'vitest'
import { drawPointsAbout, POINT_KINDS } from '../../../src/queries/query-points.js'
import { compareAnswers } from '../../../src/suites/native/agreement.js'
import {
  diagonalOf,
  dividedBody,
  type LearnedRacedBody,
  pointsOf,
  tube,
  verticesOf,
} from '../../../src/suites/native/bodies.js'
import { timeCollisions } from '../../../src/suites/native/collisions.js'
import { createRaceAnswers } from '../../../src/suites/native/methods.js'
import { NativeProgram } from '../../../src/suites/native/native-program.js'
import { queryRacers, timeQueries } from '../../../src/suites/native/queries.js'
import { fakeProgram } from './fake-program.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-test-'))
const started: NativeProgram[] = []
afterAll(() => {
  for (const program of started) program.dispose()
  rmSync(folder, { recursive: true })
})
function start(name: string, body: string): NativeProgram {
  const program = new NativeProgram(name, fakeProgram(folder, name, body), folder)
  started.push(program)
  return program
}

const COUNT = 64

/** A tube that is learned without error: by exact geometry. */
function learnedTube(): LearnedRacedBody {
  const body = tube(2)
  const field = new ExactMeshField(body.surface)
  const points = POINT_KINDS.map((kind) => {
    const all = new Float32Array(2 * 3 * COUNT)
    for (const frame of [0, 1]) {
      const positions = Float64Array.from(verticesOf(body, frame))
      const drawn = drawPointsAbout({ positions, triangles: body.surface.triangles }, kind, COUNT, frame)
      all.set(drawn, frame * drawn.length)
    }
    return [kind, all] as const
  })
  return {
    ...body,
    points: Object.fromEntries(points) as LearnedRacedBody['points'],
    learned: {
      pose: (frame) => field.update({ vertices: verticesOf(body, frame) }),
      query: (asked, count, distances, normals) => field.query(asked, count, distances, normals),
      truncation: 0.2,
      margin: 0.01,
      dispose() {},
    },
  }
}

it('a program that says another distance, side or triangle is told of; ours and a right program are not', async () => {
  const body = learnedTube()
  const field = new ExactMeshField(body.surface)
  const spoilt = { distance: 0, side: 0, triangle: 0, none: 0 }
  for (const kind of POINT_KINDS) {
    const words = new Uint32Array(2 * 5 * COUNT)
    for (const frame of [0, 1]) {
      const { distances, normals, triangleIds } = createRaceAnswers(COUNT)
      field.update({ vertices: verticesOf(body, frame) })
      field.closest(pointsOf(body, kind, frame, COUNT), COUNT, { distances, normals, triangleIds })
      const within = [...distances.keys()].filter((i) => Math.abs(distances[i]) < body.learned.truncation)
      if (kind === 'near' && frame === 1) {
        const [a, b, c, d] = within.filter((i) => Math.abs(distances[i]) > 1e-3)
        distances[a] += 1e-4
        distances[b] *= -1
        triangleIds[c] = (triangleIds[c] + 2000) % 5880
        triangleIds[d] = 0xffffffff
        Object.assign(spoilt, { distance: 1, side: 1, triangle: 1, none: 1 })
      }
      const floats = new Float32Array(words.buffer)
      floats.set(distances, 5 * COUNT * frame)
      floats.set(normals, 5 * COUNT * frame + COUNT)
      words.set(triangleIds, 5 * COUNT * frame + 4 * COUNT)
    }
    writeFileSync(join(folder, `prepared-${kind}`), words)
  }
  const embree = start('embree', `fs.copyFileSync(${JSON.stringify(folder)} + '/prepared-' + kind, file); say({})`)
  const racers = queryRacers(body, { embree })
  const rows = await compareAnswers(racers, { frames: 2, points: COUNT, file: join(folder, 'answers') })
  const told = Object.fromEntries(
    rows.map(({ method, off, otherSide, otherTriangle, noTriangle }) => [
      method,
      [off, otherSide, otherTriangle, noTriangle],
    ]),
  )
  expect(told['embree']).toEqual([spoilt.distance, spoilt.side, spoilt.triangle, spoilt.none])
  expect(told['exact']).toEqual([0, 0, 0, 0])
  expect(told['exactStop']).toEqual([0, 0, 0, 0])
  expect(told['learned']).toEqual([undefined, 0, undefined, undefined])
  expect(told['learnedTriangles']).toEqual([undefined, 0, 0, 0])
  expect(told['learnedTrianglesStop']).toEqual([undefined, 0, 0, 0])
  const { difference, queries } = rows.find(({ method }) => method === 'embree')!
  expect(queries).toBe(4 * COUNT)
  expect(difference.largest).toBeCloseTo(1e-2 / diagonalOf(body), 5)
})

it('queries are timed in turns, and a gain is over the faster of the ways to ask', async () => {
  const body = learnedTube()
  const embree = start('timed', "say({ times: Array(+frames).fill(method.includes('trunc') ? 1e7 : 2e7) })")
  const igl = start('igl', "say({ error: 'no tree' })")
  const racers = queryRacers(body, { embree, igl })
  const among = ['learned', 'embree', 'embreeStop', 'igl'] as const
  const row = await timeQueries(racers, 'uniform', 4, { rounds: 2, warmUp: 0 }, among)
  expect(row.refusals).toEqual({ igl: 'bench native: igl: no tree.' })
  expect(row.microseconds).toMatchObject({ embree: 2e7, embreeStop: 1e7 })
  expect(Object.keys(row.gains)).toEqual(['uniform', 'uniformStop'])
  const { uniform, uniformStop } = row.gains
  expect(uniform!.normals.embree!.method).toBe('embree')
  expect(uniformStop!.normals.embree!.method).toBe('embreeStop')
  expect(uniform!.normals.embree!.ratio).toBeGreaterThan(1)
  expect(uniform!.triangles).toEqual({})
})

it("pairs that meet are compared with CGAL's, and who refuses is left out", async () => {
  const body = tube(2)
  const self = new SelfIntersection(body.surface)
  const found = [0, 1].map((frame) => {
    self.update(verticesOf(body, frame))
    return self.pairs().pairs
  })
  found[1] = Uint32Array.of(1, 4000, 2, 4001)
  const write = (name: string, frames: readonly Uint32Array[]): string => {
    const path = join(folder, name)
    writeFileSync(path, Uint32Array.from(frames.flatMap((pairs) => [pairs.length / 2, ...pairs])))
    return `if (file) { fs.copyFileSync(${JSON.stringify(path)}, file); say({}) } else say({ times: Array(+frames).fill(3) })`
  }
  const programs = {
    cgal: start('cgal', write('cgal-pairs', found)),
    embree: start('collide', write('embree-pairs', [found[0], Uint32Array.of(1, 4000, 3, 3000, 5, 2000)])),
    fcl: start('fcl', "say({ error: 'out of order' })"),
  }
  const row = await timeCollisions(body, programs, { rounds: 1, warmUp: 0, file: join(folder, 'pairs') })
  expect(row).toMatchObject({ body: 'tube', triangles: 5880, judge: 'cgal', pairs: { least: 0, most: 2 } })
  expect(row.differences).toEqual({ ours: { missing: 2, more: 0 }, embree: { missing: 1, more: 2 } })
  expect(Object.keys(row.gains).sort()).toEqual(['cgal', 'embree'])
  expect(row.refusals).toEqual({ fcl: 'bench native: fcl: out of order.' })
  const alone = await timeCollisions(body, {}, { rounds: 1, warmUp: 0, file: join(folder, 'pairs') })
  expect(alone).toMatchObject({ judge: 'ours', differences: {}, gains: {} })
})

it('a finer surface is the same shape in every frame, with the same points', () => {
  const body = learnedTube()
  const fine = dividedBody(body)
  expect(fine.surface.triangles.length).toBe(4 * body.surface.triangles.length)
  expect(fine.points).toBe(body.points)
  for (const frame of [0, 1]) {
    const points = pointsOf(body, 'near', frame, COUNT)
    const [coarse, divided] = [body, fine].map(({ surface, ...rest }) => {
      const vertices = new Float64Array(surface.positions.length)
      rest.surfaceAt(frame, vertices)
      const field = new ExactMeshField({ positions: vertices, triangles: surface.triangles })
      const distances = new Float64Array(COUNT)
      field.query(points, COUNT, distances)
      return distances
    })
    for (const [i, distance] of divided.entries()) expect(distance).toBeCloseTo(coarse[i], 9)
  }
})
