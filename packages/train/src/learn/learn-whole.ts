/** Learns one network of the whole object: ours with posed grids, or the paper's (network-default.ts). */
import { makeDataset } from '../sample/dataset.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { PreparedObject } from '../spec/training-object.js'
import { learn } from './learn.js'
import type { LearnedNetwork, LearnNetworkOptions } from './learned-network.js'
import { networkOf } from './network-default.js'

export async function learnWhole(
  spec: TrainSpec,
  { frame, shapes }: PreparedObject,
  options: LearnNetworkOptions,
): Promise<LearnedNetwork> {
  const shape = networkOf(spec, frame)
  const { threads, signal, onLabel, secondsLeft } = options
  const data = await makeDataset(spec, shapes, frame, { threads, signal, onProgress: onLabel })
  const learned = await learn(spec, shape, data, { ...options, budgetSeconds: secondsLeft?.() })
  return { ...learned, shape }
}
