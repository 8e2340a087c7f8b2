// The built package: drops are simulated by files of it.

import { readSpec } from '@pliant/train'
import { elasticObject } from '@pliant/train/unstable'
import type { Progress } from 'pliant'
import { expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'

const spec = readSpec(
  JSON.stringify({ model: { body: 'box.msh', modes: 8 }, poses: 20, evaluation: { poses: 4, points: 50 } }),
)
const mesh = boxOfTets([2, 1, 1], [0.4, 0.2, 0.2])

it('a rehearsed body has the shapes that one without rehearsal has, to train on and to judge by', async () => {
  const rehearsed = elasticObject(mesh, spec, { modes: 8 })
  const few = await rehearsed.prepare({ threads: 2, poses: 16, isRehearsal: true })
  expect(few.drops!.runs).toBe(2)
  await few.judges({ threads: 2, poses: 3, isRehearsal: true })
  const told: number[] = []
  const onProgress = ({ fraction }: Progress): number => told.push(fraction)
  const prepared = await rehearsed.prepare({ threads: 1, onProgress })
  // Two of its three drops are there before anything is simulated.
  expect(few.drops!.count).toBe(16)
  expect(told.slice(0, 3)).toEqual([0, 0.4, 0.8])
  const fresh = await elasticObject(mesh, spec, { modes: 8 }).prepare({ threads: 1 })
  expect(prepared.shapes.codes).toEqual(fresh.shapes.codes)
  expect(prepared.frame).toEqual(fresh.frame)
  const [judges, freshJudges] = [await prepared.judges({ threads: 1 }), await fresh.judges({ threads: 1 })]
  expect(judges.codes).toEqual(freshJudges.codes)
})
