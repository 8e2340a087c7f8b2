/** Readers of the shapes at which `pliant query` asks: a code, nodes, a moment of a motion. */
import type { ReadMotion } from '@pliant/train/unstable/poses'
import type { Envelope } from 'pliant'
import { type Clip, type SkinnedCharacter, sampleClip } from 'pliant/character'
import type { Arguments } from './arguments.js'
import { readCode, readNodes } from './arrays.js'
import type { AskedState } from './asked-state.js'
import { UsageError } from './errors.js'
import { motionSettings, readMotions } from './motions.js'

/** @param path the artifact's */
export async function codeState(
  path: string,
  { manifest }: { manifest: Pick<Envelope, 'code'> },
  args: Arguments,
): Promise<AskedState> {
  const { size } = manifest.code
  // The code of a static object is empty: nobody should have to save an empty array.
  const isStatic = size === 0 && !args.has('code')
  return { kind: 'code', code: isStatic ? new Float64Array(0) : await readCode(args.required('code'), size, path) }
}

/** @param count of the body's nodes */
export async function nodesState(path: string, count: number, args: Arguments): Promise<AskedState> {
  return { kind: 'nodes', nodes: await readNodes(args.required('nodes'), count, path) }
}

export async function momentState(path: string, character: SkinnedCharacter, args: Arguments): Promise<AskedState> {
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
