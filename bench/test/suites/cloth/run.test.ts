import { decode } from 'pliant'
import { skinnedMeshField } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { beforeAll, describe, expect, it } from 'vitest'
import { trainRig } from '../../../../packages/train/test/bones/train-rig.js'
import { tubeCharacter } from '../../../../packages/train/test/bones/tube-character.js'
import { describeMachine } from '../../../src/origin/machine.js'
import { POINT_KINDS } from '../../../src/queries/query-points.js'
import { createAnswers } from '../../../src/queries/tree-answers.js'
import { answerByField, answerByPaperOnnx, answerByTree } from '../../../src/suites/cloth/answers.js'
import { reproduceCloth } from '../../../src/suites/cloth/page.js'
import { drawPoints } from '../../../src/suites/cloth/queries.js'
import { EXACT_RIVALS } from '../../../src/suites/cloth/rivals.js'
import { benchCloth, type ClothBenchResult } from '../../../src/suites/cloth/run.js'
import { disposeSubject, loadSubject } from '../../../src/suites/cloth/subject.js'
import { answerBySkinnedTree, answerByStaticGeometry } from '../../../src/suites/cloth/three-answers.js'

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
  const exact = answerByField(character, skinnedMeshField(character, mesh))

  it.each([
    ['skinning and refit', answerByTree(character)],
    ['StaticGeometryGenerator and refit', answerByStaticGeometry(character)],
    ['SkinnedMeshBVH', answerBySkinnedTree(character)],
  ])('of %s follow the pose: they are those of exact geometry', (_, answer) => {
    for (const kind of POINT_KINDS) {
      const frame = { pose, points: drawPoints(character, pose, kind, 200, 1) }
      const [truth, found] = [createAnswers(200), createAnswers(200)]
      // First another pose, so that one that does not refit is found out.
      void answer({ ...frame, pose: character.skeleton.rest }, found)
      void answer(frame, found)
      void exact(frame, truth)
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

describe('answers of a tree that stops', () => {
  it.each([
    ['refit', answerByTree],
    ['SkinnedMeshBVH', answerBySkinnedTree],
  ])('are those of the whole search up to there, and beyond it how far it went: %s', (_, answerBy) => {
    const [whole, stopping] = [answerBy(character), answerBy(character, 0.1)]
    const frame = {
      pose: character.skeleton.rest,
      points: drawPoints(character, character.skeleton.rest, 'uniform', 300, 2),
    }
    const [all, found] = [createAnswers(300), createAnswers(300)]
    void whole(frame, all)
    void stopping(frame, found)
    let beyond = 0
    for (let i = 0; i < 300; i++) {
      const isFar = Math.abs(all.distances[i]) >= 0.1
      if (isFar) beyond++
      expect(found.distances[i]).toBeCloseTo(isFar ? 0.1 : all.distances[i], 6)
      const length = Math.hypot(...found.normals.subarray(3 * i, 3 * i + 3))
      expect(length).toBeCloseTo(isFar ? 0 : 1, 3)
    }
    expect(beyond).toBeGreaterThan(20)
    expect(beyond).toBeLessThan(280)
  })
})

describe('suite cloth, quick, on a bending tube', () => {
  let ours: Uint8Array
  let paper: Uint8Array
  let result: ClothBenchResult
  let html: string
  const stages = new Set<string>()

  beforeAll(async () => {
    ours = (await trainRig(rig, { ...small, evaluation })).artifact
    paper = (await trainRig(rig, { ...small, evaluation, method: 'paper' })).artifact
    // The page is made of the suite's own result, so that one run serves both.
    ;({ result, html } = await reproduceCloth({
      artifact: ours,
      paper,
      clips: [{ ...unseen, duration: 0.1, name: 'barely bent' }, unseen],
      trainingClips: train,
      quick: true,
      machine: describeMachine(),
      date: '2026-01-01',
      onProgress: ({ stage }) => stages.add(stage),
    }))
  })

  it('says what it measured, and what the paper reports of its own', () => {
    expect(Object.keys(result)).toEqual('character network paper fields queries crowd step drapes endurance'.split(' '))
    expect(result.character).toMatchObject({ name: 'tube', heldOut: ['barely bent', 'unseen'] })
    expect(result.character.triangles).toBe(character.triangles.length / 3)
    expect(result.network.paperTrained).toBe(true)
    expect(result.paper.triangles).toBe(17_140)
    expect([...stages]).toEqual(expect.arrayContaining(['fitting', 'quality', 'queries', 'crowd', 'step']))
  })

  it("becomes a page with the figures, and pictures of three poses: exact, ours, the paper's", () => {
    expect(html.match(/<img src="data:image\/png/g)).toHaveLength(9)
    expect(html.match(/aria-label="level sets/g)).toHaveLength(9)
    expect(html.match(/<svg/g)).toHaveLength(11)
    const row = result.fields.rows.find(({ field }) => field === 'learned')!
    expect(html).toContain(`${row.error.mean.toFixed(3)}%`)
    expect(html).toContain(`${result.queries[0].best.gain.toFixed(1)}\u00d7`)
    expect(html).not.toMatch(/<script|src="http|href=|NaN|undefined/)
  })

  it('judges every field by the same held-out poses, over several seeds, and quotes the harder clip', () => {
    const { fields } = result
    const names = fields.rows.map(({ field }) => field)
    expect(names).toEqual([
      'learned',
      'paper',
      'exact',
      'bone grids, 24 nodes, soft minimum, fitted',
      'bone grids, 16 nodes',
      'bone grids, 24 nodes',
      'bone grids, 24 nodes, soft minimum',
      'capsules',
    ])
    expect(fields.seeds).toHaveLength(2)
    expect(fields.clips.map(({ clip }) => clip)).toEqual(['barely bent', 'unseen'])
    const learned = fields.clips.map(({ rows }) => rows[0].error.mean)
    expect(fields.clip).toBe(learned[1] > learned[0] ? 'unseen' : 'barely bent')
    expect(fields.rows[0].error.mean).toBe(Math.max(...learned))
    expect(result.character.clip).toBe(fields.clip)
    expect(fields.band.width).toBeCloseTo(5)
    expect(fields.band.beyond).toBeGreaterThan(20)
    for (const { field, error, beyond, sign, uniform, near } of fields.rows) {
      expect(error.low).toBeLessThanOrEqual(error.mean)
      expect(error.high).toBeGreaterThanOrEqual(error.mean)
      expect(error.max).toBeGreaterThanOrEqual(error.p95)
      expect(beyond.max).toBeGreaterThanOrEqual(beyond.maxTooFar)
      expect(sign).toBeLessThanOrEqual(100)
      expect(uniform * near).toBeGreaterThan(0)
      if (field === 'exact') expect(error.max).toBeLessThan(1e-6)
      else expect(error.mean).toBeGreaterThan(0)
    }
    // A straight tube's parts are nearly grids and capsules: a wrong frame or sign would show.
    const grids = fields.rows[names.indexOf('bone grids, 24 nodes')]
    expect(grids.error.mean).toBeLessThan(1)
    expect(grids.sign).toBeGreaterThan(95)
  })

  it('times every method at every number of queries, anywhere and near the surface, seven times at least', () => {
    expect(result.queries.map(({ points, count }) => `${points} ${count}`)).toEqual(
      POINT_KINDS.flatMap((kind) => [1, 128, 2048].map((count) => `${kind} ${count}`)),
    )
    for (const { microseconds, best, rounds } of result.queries) {
      expect(Object.keys(microseconds)).toEqual(
        expect.arrayContaining(['learned', 'paper', 'paperOrt', ...EXACT_RIVALS, 'boneGrids', 'capsules']),
      )
      for (const time of Object.values(microseconds)) expect(time).toBeGreaterThan(0)
      expect(rounds).toBeGreaterThanOrEqual(7)
      // The fastest of the exact ones, our own among them: the rest are not as good.
      const fastest = Math.min(...EXACT_RIVALS.map((name) => microseconds[name]))
      expect(best.gain).toBeCloseTo(fastest / microseconds.learned)
      expect(microseconds[best.rival as 'exact']).toBe(fastest)
    }
  })

  it("has the paper's network answer the same in onnxruntime as on our kernels", async () => {
    const subject = await loadSubject(ours, [unseen], paper)
    const { answer, dispose } = await answerByPaperOnnx(subject.artifact.character, subject.paper)
    const [pose] = subject.judges[0].poses(3, 1)
    const frame = { pose, points: drawPoints(subject.artifact.character, pose, 'near', 50, 1) }
    const [theirs, same] = [createAnswers(50), createAnswers(50)]
    await answer(frame, theirs)
    void answerByField(subject.artifact.character, subject.paper.field)(frame, same)
    for (let i = 0; i < 50; i++) expect(theirs.distances[i]).toBeCloseTo(same.distances[i], 4)
    for (let i = 0; i < 150; i++) expect(theirs.normals[i]).toBeCloseTo(same.normals[i], 3)
    await dispose()
    disposeSubject(subject)
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
    expect([result.drapes, result.endurance]).toEqual([[], null])
    expect(result.crowd.best.gain).toBeCloseTo(
      Math.min(
        ...Object.entries(result.crowd.methods).flatMap(([name, { frame }]) => (/^learned/.test(name) ? [] : frame)),
      ) / result.crowd.methods.learned.frame,
    )
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
    const { heldOut } = await decode(ours, 'character')
    expect(subject.clips[0].duration).toBe(0.5 * heldOut.length)
    expect(subject.paper.trained).toBe(false)
    expect(subject.judges.map(({ clip }) => clip)).toEqual(['unseen'])
    expect(subject.judges[0].poses(3, 100)).toEqual(heldOut)
    disposeSubject(subject)
  })

  it('is judged by motions that it was not trained on, at other moments with another seed', async () => {
    const subject = await loadSubject(ours, [train[0], { ...unseen, name: 'newer' }])
    expect(subject.judges.map(({ clip }) => clip)).toEqual(['newer'])
    const [first, , last] = subject.judges[0].poses(3, 3)
    // The tube bends on and on, so no two are the same.
    expect(first.rotations).not.toEqual(last.rotations)
    expect(subject.judges[0].poses(3, 3)[0]).toEqual(first)
    expect(subject.judges[0].poses(4, 3)[0].rotations).not.toEqual(first.rotations)
    disposeSubject(subject)
  })
})
