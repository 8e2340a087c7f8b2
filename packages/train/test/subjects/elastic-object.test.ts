// The built package: drops are simulated by files of it.

import { readSpec, train } from '@pliant/train'
import { bodyToTrain, elasticObject, judgePoses, makeDropPoses, type PreparedObject } from '@pliant/train/unstable'
import { decode, type TetMesh } from 'pliant'
import { encode, femMaterial } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import { dropSettings } from '../../src/poses/drop-options.js'
import { boxOfTets } from '../modes/box-of-tets.js'

const mesh: TetMesh = boxOfTets([4, 2, 2], [0.4, 0.2, 0.2])
const spec = readSpec(
  JSON.stringify({
    model: { body: 'box.msh', modes: 8 },
    seed: 4,
    poses: 12,
    pointsPerPose: 200,
    steps: 20,
    network: { parts: 4, resolution: 5 },
    evaluation: { poses: 3, points: 100 },
  }),
)

describe('an elastic body to train on', () => {
  const object = elasticObject(mesh, spec, { modes: 8 })
  let prepared: PreparedObject
  beforeAll(async () => {
    prepared = await object.prepare({ threads: 1 })
  })

  it('has shapes that bend, laid onto the rest shape', () => {
    const { shapes } = prepared
    expect(shapes.codes).toHaveLength(12)
    const rest = Float64Array.from(shapes.mesh.positions)
    const posed = new Float64Array(rest.length)
    const moved = shapes.codes.map((_, pose) => {
      shapes.positions(pose, posed)
      const carried = [0, 1, 2].map((axis) => {
        const along = posed.map((value, i) => (i % 3 === axis ? value - rest[i] : 0))
        return (3 * along.reduce((sum, value) => sum + value, 0)) / rest.length
      })
      expect(Math.hypot(...carried)).toBeLessThan(0.02)
      return Math.max(...posed.map((value, i) => Math.abs(value - rest[i])))
    })
    expect(Math.max(...moved)).toBeGreaterThan(0.005)
    expect(Math.max(...moved)).toBeLessThan(0.3)
  })

  it('has codes within its frame, whose modes follow the shapes better than rest does', () => {
    const { shapes, frame, model } = prepared
    const posed = new Float64Array(model.rest.length)
    const projected = new Float64Array(model.rest.length)
    let [left, all] = [0, 0]
    for (const [pose, code] of shapes.codes.entries()) {
      code.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(frame.code.lower[i])
        expect(value).toBeLessThanOrEqual(frame.code.upper[i])
      })
      shapes.positions(pose, posed)
      model.positions(code, projected)
      posed.forEach((value, i) => {
        left += (value - projected[i]) ** 2
        all += (value - model.rest[i]) ** 2
      })
    }
    // Eight modes of twelve poses leave 0.0014 of it; eight vibrations, or codes of other modes, far more.
    expect(left).toBeLessThan(0.005 * all)
  })

  it('is judged by drops of other runs in a softer material', async () => {
    const judges = await prepared.judges({ threads: 1 })
    expect(judges.codes).toHaveLength(3)
    // In the same material, too, drops to judge by are other drops: the same ones would give the same poses.
    const { material } = dropSettings(mesh, {})
    const trained = await makeDropPoses(mesh, { material, seed: 4, poses: 8, threads: 1 })
    const judged = await judgePoses(mesh, femMaterial(material), 8, 4, { threads: 1 })
    const poses = [trained, judged].flatMap(({ positions, count }) =>
      Array.from({ length: count }, (_, pose) =>
        positions
          .slice(pose * mesh.positions.length)
          .slice(0, 12)
          .join(),
      ),
    )
    expect(new Set(poses).size).toBe(trained.count + judged.count)
  })

  it('becomes a file that holds the body, and comes back as it was trained', async () => {
    const { artifact } = await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })
    const { kind, manifest, model, body, networks } = await decode(artifact, 'elastic-body')
    expect(manifest.model).toMatchObject({ kind: 'elastic-body', nodes: 45, weighting: 'mass' })
    expect(body!.modal.modes).toEqual(prepared.body!.modal.modes)
    expect(body!.mesh).toEqual(prepared.body!.mesh)
    expect([...model.modes]).toEqual([...prepared.model.modes])
    expect(await encode({ kind, manifest, model, body, networks })).toEqual(artifact)
  })
})
