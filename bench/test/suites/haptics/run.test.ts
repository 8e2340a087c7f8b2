// The built packages: drops are simulated by files of them.

import { readSpec, train } from '@pliant/train'
import { bodyToTrain, elasticObject } from '@pliant/train/unstable'
import { decode } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { gatherVertices } from 'pliant/respond'
import { encode } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import { boxOfTets } from '../../../../packages/pliant/test/mesh/box-of-tets.js'
import { describeMachine } from '../../../src/origin/machine.js'
import { POINT_KINDS } from '../../../src/queries/query-points.js'
import { answerByBvh, answerByExact, createTouchAnswers, searchPatches } from '../../../src/suites/haptics/answers.js'
import { reproduceHaptics } from '../../../src/suites/haptics/page.js'
import { NATIVE_MARKS, nativeTime } from '../../../src/suites/haptics/paper.js'
import { drawFrames } from '../../../src/suites/haptics/queries.js'
import { EQUAL_OUTPUT, QUERY_METHODS } from '../../../src/suites/haptics/rivals.js'
import { benchHaptics, type HapticsBenchResult } from '../../../src/suites/haptics/run.js'
import { openSubject } from '../../../src/suites/haptics/subject.js'
import { FRAME_PARTS } from '../../../src/suites/haptics/touch.js'

/** Good for nothing but to be measured. */
async function trainBox(method: 'pliant' | 'paper'): Promise<Uint8Array> {
  const spec = readSpec(
    JSON.stringify({
      name: 'box',
      model: { body: 'box.msh', modes: 6 },
      method,
      network: method === 'paper' ? { hidden: [8, 8] } : { parts: 2, resolution: 4 },
      poses: 8,
      pointsPerPose: 60,
      steps: 2,
      posesPerBatch: 2,
      pointsPerBatchPose: 16,
      evaluation: { poses: 1, points: 20 },
    }),
  )
  const object = elasticObject(boxOfTets([3, 2, 2], [0.3, 0.2, 0.2]), spec, { modes: 6 })
  return (await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })).artifact
}

let ours: Uint8Array
let paper: Uint8Array
beforeAll(async () => {
  ours = await trainBox('pliant')
  paper = await trainBox('paper')
})

describe('answers about an elastic body', () => {
  it.each(['refit', 'rebuild'] as const)('of a tree that is told to %s are those of exact geometry', async (follow) => {
    const subject = await openSubject(ours)
    const { surface } = subject
    const moved = subject.ours.body.mesh.positions.map((value, i) => 1.3 * value + 0.1 * (i % 3))
    const answer = answerByBvh(surface, follow)
    const positions = new Float64Array(surface.positions.length)
    gatherVertices(moved, surface.nodeOfVertex, positions)
    const exact = new ExactMeshField({ positions, triangles: surface.triangles })
    const [frame] = drawFrames(subject, [moved], 'uniform', 50)
    const [found, truth] = [createTouchAnswers(50), createTouchAnswers(50)]
    await answer(frame, found)
    exact.closest(frame.points, 50, { ...truth, distances: truth.distances })
    for (let i = 0; i < 50; i++) expect(found.distances[i]).toBeCloseTo(truth.distances[i], 5)
    if (follow === 'rebuild') return
    // Which triangle it is matters only where there is but one: away from edges most are the same.
    const same = found.triangleIds.filter((id, i) => id === truth.triangleIds[i]).length
    expect(same).toBeGreaterThan(25)
  })

  it('keep their signed distances when triangles are searched for', async () => {
    const subject = await openSubject(ours)
    const [frame] = drawFrames(subject, [subject.ours.body.mesh.positions], 'near', 20)
    const out = createTouchAnswers(20)
    out.distances.fill(-0.001)
    searchPatches(subject.surface, subject.ours)(frame, out)
    expect(new Set(out.distances).size).toBe(1)
    expect(Math.max(...out.reaches)).toBeGreaterThan(0)
  })

  it('of our exact field are exact: distance alone, or with normal and triangle', async () => {
    const subject = await openSubject(ours)
    const { surface } = subject
    const moved = subject.ours.body.mesh.positions.map((value, i) => 1.3 * value + 0.1 * (i % 3))
    const positions = new Float64Array(surface.positions.length)
    gatherVertices(moved, surface.nodeOfVertex, positions)
    const truth = createTouchAnswers(50)
    const [frame] = drawFrames(subject, [moved], 'uniform', 50)
    new ExactMeshField({ positions, triangles: surface.triangles }).closest(frame.points, 50, truth)
    const [all, alone] = [createTouchAnswers(50), createTouchAnswers(50)]
    await answerByExact(surface, 'all')(frame, all)
    await answerByExact(surface, 'distance')(frame, alone)
    expect([all.distances, all.normals, all.triangleIds]).toEqual([truth.distances, truth.normals, truth.triangleIds])
    expect(alone.distances).toEqual(truth.distances)
    expect(Math.max(...alone.normals, ...alone.triangleIds)).toBe(0)
  })

  it('of native libraries grow with the number of queries; a refit of Embree is microseconds', () => {
    const embree = NATIVE_MARKS.find(({ name }) => name === 'Embree 3.13, refit')!
    expect(nativeTime(embree, 'uniform', 0)).toBeCloseTo(0.017)
    expect(nativeTime(embree, 'uniform', 1000)).toBeCloseTo(3.617)
  })
})

it('gains are over rivals that give as much: triangles are never compared with a search that stops', () => {
  const { distances, normals, triangles } = EQUAL_OUTPUT
  for (const { rivals } of [distances, normals, triangles])
    expect(rivals).toEqual(expect.arrayContaining(['exact', 'threeMeshBvh']))
  expect(distances.rivals).toContain('exactDistance')
  for (const less of ['exactDistance', 'exactStop', 'threeMeshBvhStop']) expect(triangles.rivals).not.toContain(less)
  expect(normals.rivals).not.toContain('exactDistance')
})

describe('suite haptics, quick, on a box', () => {
  let result: HapticsBenchResult
  let html: string
  const stages = new Set<string>()

  beforeAll(async () => {
    // The page is made of the suite's own result, so that one run serves both.
    ;({ result, html } = await reproduceHaptics({
      artifact: ours,
      paper,
      quick: true,
      machine: describeMachine(),
      date: '2026-01-01',
      onProgress: ({ stage }) => stages.add(stage),
    }))
  })

  it('says what it measured, and what the paper reports of its own', () => {
    expect(Object.keys(result)).toEqual('body network paper native split queries triangles quality touch'.split(' '))
    expect(result.body).toMatchObject({ name: 'box', nodes: 36, modes: 6 })
    expect(result.body.material.runTime.young).toBeCloseTo(result.body.material.training.young / 10)
    expect(result.paper.table1.bvh).toEqual([4.88, 6.46, 7.25, 10.55, 17.18])
    const { learned, paper: theirs } = result.network.multiplications
    // 6 modes of 36 nodes, then the code's rows of the first layer; point, two layers, output.
    expect(theirs).toEqual({ step: 6 * 3 * 36 + 6 * 8, query: 3 * 8 + 8 * 8 + 8 })
    expect(learned.query).toBeGreaterThan(0)
    expect([...stages]).toEqual(
      expect.arrayContaining(['poses', 'queries', 'triangles', 'quality', 'touch', 'pictures']),
    )
  })

  it('times every method at every number of queries, anywhere and near the surface', () => {
    expect(result.queries.map(({ points, count }) => `${points} ${count}`)).toEqual(
      POINT_KINDS.flatMap((kind) => [1, 16, 128, 1024].map((count) => `${kind} ${count}`)),
    )
    for (const { milliseconds, gains, native, rounds } of result.queries) {
      expect(Object.keys(milliseconds).sort()).toEqual([...QUERY_METHODS].sort())
      expect(rounds).toBeGreaterThanOrEqual(7)
      // Of the fastest rival that gives the same: distances against distances, triangles against triangles.
      for (const output of ['distances', 'normals', 'triangles'] as const) {
        const { ours, rivals } = EQUAL_OUTPUT[output]
        const fastest = Math.min(...rivals.map((name) => milliseconds[name]))
        expect(gains[output].gain).toBeCloseTo(fastest / milliseconds[ours])
      }
      expect(Object.keys(native)).toEqual(NATIVE_MARKS.map(({ name }) => name))
    }
  })

  it("finds the scan's triangles, all of them", () => {
    const { queries, sameTriangle, sameDistance } = result.triangles.equality
    expect(queries).toBe(2 * 4 * 50)
    expect([sameTriangle.hinted, sameDistance.hinted]).toEqual([queries, queries])
    expect(sameDistance.threeMeshBvh).toBe(queries)
    expect(result.triangles.table1.map(({ count }) => count)).toEqual([128, 256])
  })

  it('judges both fields on the same poses, in both materials, and in the modes', () => {
    expect(result.quality.rows.map(({ field, material, shapes }) => `${field}, ${material}, ${shapes}`)).toEqual(
      ['learned', 'paper'].flatMap((field) =>
        ['run time', 'training'].flatMap((material) =>
          ['simulated', 'simulated, by codes', 'in the modes'].map((shapes) => `${field}, ${material}, ${shapes}`),
        ),
      ),
    )
    expect(result.quality.seeds).toEqual([2, 3])
    expect(result.quality.band.beyond).toBeGreaterThan(0)
    for (const { error, sign, poses, beyond } of result.quality.rows) {
      expect(poses).toBe(4)
      expect(error.mean).toBeGreaterThan(0)
      expect(error.low).toBeLessThanOrEqual(error.mean)
      expect(error.max).toBeGreaterThanOrEqual(error.p95)
      expect(beyond.max).toBeGreaterThan(0)
      expect(sign).toBeLessThanOrEqual(100)
    }
  })

  it('plays the same path with every field: the hand touches, and feels it', () => {
    const { learned, exact, paper: theirs, frames, jerkRatio } = result.touch
    expect(jerkRatio).toBeCloseTo(learned.jerk.rms / exact.jerk.rms)
    for (const run of [learned, exact, theirs!]) {
      expect(Object.keys(run.parts)).toEqual([...FRAME_PARTS])
      expect(run.trace.times).toHaveLength(frames)
      expect(run.trace.depths).toHaveLength(frames)
      expect(run.notFinite).toBe(0)
    }
    expect(exact.contacts).toBeGreaterThan(3)
    expect(Math.max(...exact.trace.forces)).toBeGreaterThan(0)
  })

  it("becomes a page with the figures, and pictures of three poses: exact, ours, the paper's", () => {
    expect(html.match(/<img src="data:image\/png/g)).toHaveLength(9)
    expect(html.match(/aria-label="level sets/g)).toHaveLength(9)
    // Two of times, three of touch.
    expect(html.match(/<svg/g)).toHaveLength(9 + 5)
    expect(html).toContain(`${result.quality.rows[0].error.mean.toFixed(3)}%`)
    expect(html).toContain(`${result.queries[0].gains.distances.gain.toFixed(1)}\u00d7`)
    for (const time of result.paper.table1.neural.slice(0, 2)) expect(html).toContain(`<td>${time}</td>`)
    expect(html).not.toMatch(/<script|src="http|href=|NaN|undefined/)
  })
})

describe('files', () => {
  it('that are swapped, missing or of another body are refused', async () => {
    await expect(benchHaptics({})).rejects.toThrow(/no artifact; train one/)
    await expect(benchHaptics({ artifact: paper })).rejects.toThrow(/pass it with --paper/)
    await expect(benchHaptics({ artifact: ours, paper: ours })).rejects.toThrow(/train it with --method paper/)
    const { body, ...rest } = await decode(paper, 'elastic-body')
    const mesh = { ...body!.mesh, positions: body!.mesh.positions.map((value) => 2 * value) }
    const other = await encode({ ...rest, body: { ...body!, mesh } })
    await expect(benchHaptics({ artifact: ours, paper: other })).rejects.toThrow(/of another body/)
    const reason = new Error('enough')
    await expect(benchHaptics({ artifact: ours, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it("stand in for the paper's with its shape and random weights", async () => {
    const { paper: stand, diagonal } = await openSubject(ours)
    expect(stand.trained).toBe(false)
    expect(stand.artifact.manifest.networks.distance.shape).toMatchObject({
      hidden: Array(8).fill(128),
      activation: 'relu',
    })
    expect(diagonal).toBeCloseTo(Math.hypot(0.3, 0.2, 0.2))
  })
})
