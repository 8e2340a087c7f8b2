/** The shape at which `pliant query` asks: a code, a moment of a motion, or the nodes of a soft body. */
import type { ReadMotion } from '@pliant/train/unstable/poses'
import { type Clip, type SkeletonPose, sampleClip } from 'pliant/character'
import type { Arguments } from './arguments.js'
import { readCode, readNodes } from './arrays.js'
import type { TrainedFile } from './artifact-file.js'
import { UsageError } from './errors.js'
import { motionJson, motionSettings, readMotions } from './motions.js'

export type AskedState =
  | { kind: 'code'; code: Float64Array }
  /** @property frame root frame to world; undefined: points are in the root frame */
  | { kind: 'pose'; pose: SkeletonPose; frame: Float64Array | undefined; motion: ReadMotion; time: number }
  | { kind: 'nodes'; nodes: Float64Array }

/** @throws UsageError if the options are not for this kind of file, or say no shape or several */
export async function readAskedState(path: string, file: TrainedFile, args: Arguments): Promise<AskedState> {
  const byMotion = args.has('motion') || args.has('clip')
  const given = ['code', 'nodes'].filter((name) => args.has(name))
  if (given.length + (byMotion ? 1 : 0) > 1) {
    throw new UsageError('query: --code, --nodes and --motion (or --clip) each say the shape; pass one of them.')
  }
  for (const name of ['time', 'frame', 'aliases', 'reference', 'min-matched']) {
    if (args.has(name) && !byMotion) throw new UsageError(`query: --${name} goes with --motion or --clip; drop it.`)
  }
  if (byMotion) return readMoment(path, file, args)
  if (args.has('nodes')) {
    if (file.artifact.kind !== 'elastic-body') {
      throw new UsageError(`query: --nodes is for soft bodies, ${path} is none; pass --code.`)
    }
    const count = file.artifact.body.mesh.positions.length / 3
    return { kind: 'nodes', nodes: await readNodes(args.required('nodes'), count, path) }
  }
  const { size } = file.artifact.manifest.code
  // The code of a static object is empty: nobody should have to save an empty array.
  const isStatic = size === 0 && !args.has('code')
  return { kind: 'code', code: isStatic ? new Float64Array(0) : await readCode(args.required('code'), size, path) }
}

async function readMoment(path: string, file: TrainedFile, args: Arguments): Promise<AskedState> {
  if (file.artifact.kind !== 'character')
    throw new UsageError(`query: --motion is for characters, ${path} is none; pass --code.`)
  const { character } = file.artifact
  const source = args.text('motion') ?? path
  if (!args.has('motion') && !/\.(glb|gltf)$/i.test(path)) {
    throw new UsageError(`query: ${path} holds no clips; pass --motion FILE with the one that --clip names.`)
  }
  const motions = await readMotions(source, character, await motionSettings(args))
  const motion = chooseClip(motions, args.text('clip'), source)
  const { duration } = motion.clip
  const time = args.number('time') ?? 0
  if (time < 0 || time > duration) {
    const end = Number(duration.toPrecision(6))
    throw new UsageError(
      `query: --time is ${time}, clip '${motion.clip.name}' goes from 0 to ${end} s; pass one of them.`,
    )
  }
  const pose = character.skeleton.createPose()
  sampleClip(character.skeleton, motion.clip, time, pose)
  const frame = new Float64Array(16)
  character.skeleton.rootFrame(pose, frame)
  return { kind: 'pose', pose, frame: args.text('frame') === 'world' ? frame : undefined, motion, time }
}

function chooseClip(motions: readonly ReadMotion[], name: string | undefined, source: string): ReadMotion {
  const names = motions.map(({ clip }: { clip: Clip }) => clip.name).join(', ')
  const found = name === undefined ? motions : motions.filter(({ clip }) => clip.name === name)
  if (name !== undefined && found.length === 0) {
    throw new UsageError(`query: ${source} has no clip '${name}'; choose from ${names}.`)
  }
  if (found.length > 1) {
    throw new UsageError(
      `query: ${source} has ${found.length} clips${name ? ` '${name}'` : ''}; choose one with --clip: ${names}.`,
    )
  }
  return found[0]
}

/** What was asked, for `--json`. */
export function stateJson(state: AskedState): object {
  if (state.kind !== 'pose') return { by: state.kind }
  const { motion, time, frame } = state
  return { by: 'motion', time, frame: frame ? 'world' : 'root', ...motionJson(motion) }
}
