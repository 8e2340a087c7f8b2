/** Trains a rig that was made in code: options of the spec and of the run side by side. */
// The built package: labelling workers are files of it.

import { readSpec, type Trained, type TrainOptions, train } from '@pliant/train'
import { type BareRig, characterToTrain } from '@pliant/train/unstable'
import type { Clip } from 'pliant/character'
import type { BoneNetworkShape } from 'pliant/unstable'

export interface RigOptions extends TrainOptions {
  name: string
  method?: 'pliant' | 'paper'
  seed?: number
  poses?: number
  pointsPerPose?: number
  steps?: number
  evaluation?: { poses: number; points: number }
  resolution?: number
  network?: Partial<BoneNetworkShape>
  clips?: readonly Clip[]
  heldOut?: readonly Clip[]
}

export function trainRig(rig: BareRig, options: RigOptions): Promise<Trained> {
  const { name, method, seed, poses, pointsPerPose, steps, evaluation, resolution, network, ...rest } = options
  const { clips = rig.clips, heldOut = [], ...run } = rest
  const said = { name, method, seed, poses, pointsPerPose, steps, evaluation }
  const spec = readSpec(JSON.stringify({ model: { rig: `${name}.glb` }, ...said }))
  return train(spec, { ...run, subject: characterToTrain(spec, { rig, clips, heldOut, resolution, network }) })
}
