/** Learns one network of the whole object: ours with posed grids, or the paper's (network-default.ts). */
import { makeDataset } from '../label/dataset.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { PreparedObject } from '../subjects/training-object.js'
import { learn } from './learn.js'
import type { LearnedNetwork, LearnNetworkOptions } from './learned-network.js'
import { networkOf } from './network-default.js'

export async function learnWhole(
  spec: TrainSpec,
  { frame, shapes }: PreparedObject,
  options: LearnNetworkOptions,
): Promise<LearnedNetwork> {
  const shape = networkOf(spec, frame)
  const { threads, signal, onLabel, isOver, secondsLeft, steps, labelled, onCheckpoint } = options
  const some = { ...shapes, codes: shapes.codes.slice(0, labelled) }
  const data = await makeDataset(spec, some, frame, { threads, signal, isOver, onProgress: onLabel })
  const learned = await learn({ ...spec, steps }, shape, data, {
    ...options,
    onCheckpoint: onCheckpoint && ((all, state) => onCheckpoint(all, state, data.poses)),
    budgetSeconds: secondsLeft?.(),
  })
  const { normalisation, domain } = frame
  return { ...learned, network: { kind: 'whole', shape, normalisation, domain }, poses: data.poses }
}
