import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSubject, readSpec } from '@pliant/train'
// The built package: tasks are done by a thread that is a file of it.
import { elasticObject, type LoadedObject, tetrahedralise } from '@pliant/train/unstable'
import type { Progress } from 'pliant'
import { writeObj } from 'pliant/files'
import { afterAll, describe, expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'
import { sphere } from '../tets/solid-shapes.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-long-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'ball.obj'), writeObj(sphere(3)))
const load = (nodes: number, options = {}) =>
  loadSubject(
    readSpec(JSON.stringify({ model: { body: 'ball.obj', nodes } })),
    folder,
    options,
  ) as Promise<LoadedObject>

describe('filling a surface', () => {
  it('leaves the caller free, tells how far it is, and gives what it gives on the same thread', async () => {
    const told: Progress[] = []
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const object = await load(400, { onProgress: (progress: Progress) => told.push(progress) })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(20)
    expect(told.at(-1)).toEqual({ fraction: 1, stage: 'filling the surface', detail: 'filled' })
    const { report } = await tetrahedralise(sphere(3), { nodes: 400 })
    expect(object.filling).toMatchObject({ nodes: report.nodes, tetrahedra: report.tetrahedra })
  })

  it('ends where it is when it is aborted', async () => {
    const controller = new AbortController()
    // So many nodes take far longer than the test may.
    const filling = load(150_000, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(filling).rejects.toThrow('enough')
    await expect(load(400, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('tries no further number of nodes when its time is over', async () => {
    const spec = readSpec(JSON.stringify({ model: { body: 'ball.obj', nodes: 100 } }))
    const tried = { ...spec, model: { body: 'ball.obj', nodes: [100, 700] as unknown as number } }
    const [hasty, patient] = [
      (await loadSubject(tried, folder, { secondsToFill: 0 })) as LoadedObject,
      (await loadSubject(tried, folder)) as LoadedObject,
    ]
    expect(hasty.filling!.nodes).toBeLessThan(200)
    expect(patient.filling!.nodes).toBeGreaterThan(400)
  })
})

it('modes end where they are when training is aborted', async () => {
  const spec = readSpec(JSON.stringify({ model: { body: 'box.msh' }, method: 'paper', poses: 8 }))
  const object = elasticObject(boxOfTets([2, 1, 1], [0.4, 0.2, 0.2]), spec, { modes: 8 })
  const controller = new AbortController()
  const onModes = (): void => controller.abort(new Error('enough'))
  await expect(object.prepare({ threads: 1, signal: controller.signal, onModes })).rejects.toThrow('enough')
})
