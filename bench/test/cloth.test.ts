import { trainCharacterFile } from '@pliant/train'
import { decodeCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { exactField } from 'pliant/sim'
import { beforeAll, describe, expect, it } from 'vitest'
import { tubeCharacter } from '../../packages/train/test/bones/tube-character.js'
import { benchCloth, type ClothBenchResult } from '../src/cloth.js'
import { answerByField, answerByStaticGeometry, answerByTree } from '../src/cloth-answers.js'
import { drawPoints } from '../src/cloth-queries.js'
import { disposeSubject, loadSubject } from '../src/cloth-subject.js'
import { describeMachine } from '../src/machine.js'
import { POINT_KINDS } from '../src/query-points.js'
import { reproduceCloth } from '../src/reproduce/cloth.js'
import { createAnswers } from '../src/tree-answers.js'

const { character, train, unseen } = tubeCharacter({ rings: 12, around: 8 })
const rig = { ...character, clips: train }
const small = { name: 'tube', heldOut: [unseen], poses: 6, pointsPerPose: 50, steps: 2, threads: 1 }
const evaluation = { poses: 3, points: 50 }

describe('answers', () => {
  const pose = character.skeleton.createPose()
  pose.rotations.set([0.3, 0, 0, Math.sqrt(1 - 0.09)], 4)
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  const mesh = new ExactMeshField({ positions, triangles: character.triangles })
  const exact = answerByField(character, exactField(character, mesh))

  it.each([
    ['skinning and refit', answerByTree(character)],
    ['StaticGeometryGenerator and refit', answerByStaticGeometry(character)],
  ])('of %s follow the pose: they are those of exact geometry', (_, answer) => {
    for (const kind of POINT_KINDS) {
      const frame = { pose, points: drawPoints(character, pose, kind, 200, 1) }
      const [truth, found] = [createAnswers(200), createAnswers(200)]
      // First another pose, so that one that does not refit is found out.
      answer({ ...frame, pose: character.skeleton.rest }, found)
      answer(frame, found)
      exact(frame, truth)
      for (let i = 0; i < 200; i++) {
        expect(Math.abs(found.distances[i])).toBeCloseTo(Math.abs(truth.distances[i]), 4)
      }
      const sameSign = truth.distances.filter((distance, i) => distance > 0 === found.distances[i] > 0).length
      // The nearest face's normal is wrong near some edges.
      expect(sameSign).toBeGreaterThan(190)
      expect(POINT_KINDS.map((kind) => drawPoints(character, pose, kind, 5, 1))).toEqual(
        POINT_KINDS.map((kind) => drawPoints(character, pose, kind, 5, 1)),
      )
    }
  })
})

describe('suite cloth, quick, on a bending tube', () => {
  let ours: Uint8Array
  let paper: Uint8Array
  let result: ClothBenchResult
  let html: string
  const stages = new Set<string>()

  beforeAll(async () => {
    ours = (await trainCharacterFile(rig, { ...small, evaluation })).bytes
    paper = (await trainCharacterFile(rig, { ...small, evaluation, method: 'paper' })).bytes
    // The page is made of the suite's own result, so that one run serves both.
    ;({ result, html } = await reproduceCloth({
      artifact: ours,
      paper,
      clip: unseen,
      quick: true,
      machine: describeMachine(),
      date: '2026-01-01',
      onProgress: ({ stage }) => stages.add(stage),
    }))
  })

  it('says what it measured, and what the paper reports of its own', () => {
    expect(Object.keys(result)).toEqual('character network paper fields queries crowd step drape endurance'.split(' '))
    expect(result.character).toMatchObject({ name: 'tube', heldOut: ['unseen'], clip: 'unseen' })
    expect(result.character.triangles).toBe(character.triangles.length / 3)
    expect(result.network.paperTrained).toBe(true)
    expect(result.paper.triangles).toBe(17_140)
    expect([...stages]).toEqual(expect.arrayContaining(['quality', 'queries', 'crowd', 'step']))
  })

  it("becomes a page with the figures, and pictures of three poses: exact, ours, the paper's", () => {
    expect(html.match(/<img src="data:image\/png/g)).toHaveLength(9)
    expect(html.match(/aria-label="level sets/g)).toHaveLength(9)
    expect(html.match(/<svg/g)).toHaveLength(11)
    const row = result.fields.rows.find(({ field }) => field === 'learned')!
    expect(html).toContain(`${row.error.mean.toFixed(3)}%`)
    expect(html).toContain(`${result.queries[0].ratio.toFixed(1)}\u00d7`)
    expect(html).not.toMatch(/<script|src="http|href=|NaN|undefined/)
  })

  it('judges every field by the same held-out poses', () => {
    const names = result.fields.rows.map(({ field }) => field)
    expect(names).toEqual([
      'learned',
      'paper',
      'bone grids, 16 nodes',
      'bone grids, 24 nodes',
      'bone grids, 24 nodes, soft minimum',
      'capsules',
    ])
    for (const row of result.fields.rows) {
      expect(row.error.mean).toBeGreaterThan(0)
      expect(row.error.p95).toBeGreaterThanOrEqual(row.error.mean / 2)
      expect(row.sign).toBeLessThanOrEqual(100)
      expect(row.uniform * row.near).toBeGreaterThan(0)
    }
    // A straight tube's parts are nearly grids and capsules: a wrong frame or sign would show.
    expect(result.fields.rows[3].error.mean).toBeLessThan(1)
    expect(result.fields.rows[3].sign).toBeGreaterThan(95)
  })

  it('times every method at every number of queries, anywhere and near the surface', () => {
    expect(result.queries.map(({ points, count }) => `${points} ${count}`)).toEqual(
      POINT_KINDS.flatMap((kind) => [1, 128, 2048].map((count) => `${kind} ${count}`)),
    )
    for (const { microseconds, ratio } of result.queries) {
      expect(Object.keys(microseconds)).toEqual(
        'learned learnedTwoThreads paper exact threeMeshBvh staticGeometry boneGrids capsules'.split(' '),
      )
      for (const time of Object.values(microseconds)) expect(time).toBeGreaterThan(0)
      expect(ratio).toBeCloseTo(microseconds.threeMeshBvh / microseconds.learned)
    }
  })

  it('steps a crowd, and the same sheet in Rapier; drapes what has a garment', () => {
    expect(result.crowd).toMatchObject({ characters: 100, queriesEach: 200 })
    for (const { frame, withoutClips } of Object.values(result.crowd.methods)) {
      expect(frame * withoutClips).toBeGreaterThan(0)
    }
    const { learned, rapier } = result.step
    expect(result.step.clothVertices).toBe(1024)
    for (const figures of [learned, rapier]) {
      expect(figures.max).toBeGreaterThanOrEqual(figures.median)
      expect(figures.notFinite).toBe(0)
      expect(figures.touching).toBeGreaterThan(0)
    }
    expect([result.drape, result.endurance]).toEqual([null, null])
  })

  it('refuses files that are swapped or missing', async () => {
    await expect(benchCloth({})).rejects.toThrow(/no artifact; train a character/)
    await expect(benchCloth({ artifact: paper })).rejects.toThrow(/pass it with --paper/)
    await expect(benchCloth({ artifact: ours, paper: ours })).rejects.toThrow(/train it with --method paper/)
    const reason = new Error('enough')
    await expect(benchCloth({ artifact: ours, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('without a motion goes through the held-out poses of the file', async () => {
    const subject = await loadSubject(ours)
    const { heldOut } = decodeCharacter(ours)
    expect(subject.clip.duration).toBe(0.5 * heldOut.length)
    expect(subject.paper.trained).toBe(false)
    expect(subject.judges).toEqual({ clips: ['unseen'], poses: heldOut })
    disposeSubject(subject)
  })

  it('is judged by a motion that the file does not know', async () => {
    const subject = await loadSubject(ours, { ...unseen, name: 'newer' })
    expect(subject.judges.clips).toEqual(['newer'])
    expect(subject.judges.poses).toHaveLength(evaluation.poses)
    // The tube bends on and on, so no two are the same.
    const [first, , last] = subject.judges.poses
    expect(first.rotations).not.toEqual(last.rotations)
    disposeSubject(subject)
  })
})
