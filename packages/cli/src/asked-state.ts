/** The shape at which `pliant query` asks: a code, a moment of a motion, or the nodes of a soft body. */
import type { ReadMotion } from '@pliant/train/unstable/poses'
import type { Artifact } from 'pliant'
import type { SkeletonPose } from 'pliant/character'
import type { Arguments } from './arguments.js'
import { UsageError } from './errors.js'
import { type Kinds, manyWith } from './kinds/index.js'
import type { QueryCommand, Way } from './kinds/kind-commands.js'
import { motionJson } from './motions.js'

export type AskedState =
  | { kind: 'code'; code: Float64Array }
  /** @property frame root frame to world; undefined: points are in the root frame */
  | { kind: 'pose'; pose: SkeletonPose; frame: Float64Array | undefined; motion: ReadMotion; time: number }
  | { kind: 'nodes'; nodes: Float64Array }

/** @throws UsageError if the options are not for this kind of file, or say no shape or several */
export async function readAskedState<A extends Artifact>(
  path: string,
  artifact: A,
  { states }: QueryCommand<A>,
  args: Arguments,
  kinds?: Kinds,
): Promise<AskedState> {
  const byMotion = args.has('motion') || args.has('clip')
  const given = ['code', 'nodes'].filter((name) => args.has(name))
  if (given.length + (byMotion ? 1 : 0) > 1) {
    throw new UsageError('query: --code, --nodes and --motion (or --clip) each say the shape; pass one of them.')
  }
  for (const name of ['time', 'frame', 'aliases', 'reference', 'min-matched']) {
    if (args.has(name) && !byMotion) throw new UsageError(`query: --${name} goes with --motion or --clip; drop it.`)
  }
  const way: Way = byMotion ? 'motion' : args.has('nodes') ? 'nodes' : 'code'
  const read = states[way]
  if (read) return read(path, artifact, args)
  const able = manyWith(({ query }) => query?.states[way] !== undefined, kinds)
  throw new UsageError(`query: --${way} is for ${able}, ${path} is none; pass --${Object.keys(states)[0]}.`)
}

/** What was asked, for `--json`. */
export function stateJson(state: AskedState): object {
  if (state.kind !== 'pose') return { by: state.kind }
  const { motion, time, frame } = state
  return { by: 'motion', time, frame: frame ? 'world' : 'root', ...motionJson(motion) }
}
