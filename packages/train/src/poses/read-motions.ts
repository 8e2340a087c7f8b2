/** Motions from other files for a character: recordings (`.bvh`) and glTF animations, and how well they fit it. */

import { type Clip, rigFromScene, type Skeleton, type SkinnedSurface } from 'pliant/character'
import {
  areaOfJoints,
  type BvhMotion,
  type JointAliases,
  looksLikeBvh,
  motionFromScene,
  type Retargeted,
  type RetargetOptions,
  readBvhMotion,
  retargetMotion,
} from 'pliant/unstable'
import { asBadInput, BadInput } from '../input/bad-input.js'
import { NamedFiles } from '../input/named-files.js'

/** Share of the surface that a motion must move, unless told otherwise. */
export const LEAST_MATCHED = 0.75

export interface MotionSettings {
  aliases: JointAliases
  /** Of recordings, what stands as the character at rest: auto, first, none, or a time [s] as text. */
  reference: string
  /** Share of the surface, 0 to 1. */
  leastMatched: number
}

export interface ReadMotion extends Pick<Retargeted, 'matched' | 'missing' | 'unused' | 'share'> {
  file: string
  clip: Clip
  /** Of a recording; of clips of the same rig there is nothing to compare. */
  reference: Retargeted['reference'] | undefined
}

export const USUAL_MOTIONS: MotionSettings = { aliases: {}, reference: 'auto', leastMatched: LEAST_MATCHED }

/**
 * @param body      whom they are to move
 * @param files     where the paths are read from
 * @throws BadInput if a file is no motion, moves too little of the character, or an alias is of no joint
 */
export async function readMotions(
  paths: readonly string[],
  body: { skeleton: Skeleton; surface: SkinnedSurface },
  settings: MotionSettings = USUAL_MOTIONS,
  files = new NamedFiles(),
): Promise<ReadMotion[]> {
  const used = new Set<string>()
  const motions: ReadMotion[] = []
  for (const path of paths) {
    for (const motion of await readMotionFile(path, body, settings, files, used)) {
      requireShare(motion, settings, files)
      motions.push(motion)
    }
  }
  const unknown = Object.keys(settings.aliases).find((name) => !used.has(name))
  if (paths.length > 0 && unknown !== undefined) {
    throw new BadInput(`${files.naming.field('aliases')}: no motion has a joint '${unknown}'; check its spelling.`)
  }
  return motions
}

/** @throws BadInput if the file is no JSON object of names */
export async function readAliases(path: string, files = new NamedFiles()): Promise<JointAliases> {
  const value = await files.json(path)
  const isNames = (entry: unknown) => typeof entry === 'string' || entry === null
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.values(value).every(isNames)) {
    throw new BadInput(`${path}: aliases are no object of names; write { "their joint": "the character's" }.`)
  }
  return value as JointAliases
}

/** Some of a list, for a message. */
export function someOf(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ')
}

function requireShare(
  { file, share, missing, unused }: ReadMotion,
  { leastMatched }: MotionSettings,
  { naming }: NamedFiles,
): void {
  if (share >= leastMatched) return
  const theirs = unused.length > 0 ? `; the motion's ${someOf(unused)} move nothing` : ''
  throw new BadInput(
    `${file}: its joints move ${Math.floor(100 * share)}% of the surface, ${100 * leastMatched}% are needed; ${someOf(missing)} would stay at rest${theirs}; match them with ${naming.field('aliases')}, or lower ${naming.field('minMatched')}.`,
  )
}

async function readMotionFile(
  path: string,
  { skeleton, surface }: { skeleton: Skeleton; surface: SkinnedSurface },
  settings: MotionSettings,
  files: NamedFiles,
  used: Set<string>,
): Promise<ReadMotion[]> {
  const bytes = await files.bytes(path)
  const weights = areaOfJoints(surface, skeleton.jointCount)
  const aliasesFor = (names: readonly string[]): JointAliases => {
    const own = Object.entries(settings.aliases).filter(([name]) => names.includes(name))
    for (const [name] of own) used.add(name)
    return Object.fromEntries(own)
  }
  if (looksLikeBvh(bytes)) {
    const motion = await asBadInput(() => readBvhMotion(bytes), path)
    const name = path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')
    const aliases = aliasesFor(motion.joints.map((joint) => joint.name))
    const reference = referenceOf(settings.reference, motion, files)
    const made = await asBadInput(() => retargetMotion(skeleton, motion, { name, aliases, reference, weights }), path)
    return [{ file: path, ...made }]
  }
  if (!/\.(glb|gltf)$/i.test(path)) throw notAMotion(path)
  const file = await asBadInput(() => files.mesh(path), path)
  if (file.kind !== 'gltf' || file.scene.animations.length === 0) throw notAMotion(path)
  const { scene } = file
  if (scene.meshes.some((mesh) => mesh.skin >= 0)) {
    const other = await asBadInput(() => rigFromScene(scene), path)
    if (other.skeleton.names.join() === skeleton.names.join()) {
      const matched = skeleton.names.map((joint) => ({ joint, from: joint }))
      const common = { file: path, matched, missing: [], unused: [], share: 1, reference: undefined }
      return other.clips.map((clip) => ({ ...common, clip }))
    }
  }
  const aliases = aliasesFor(scene.nodes.map((node) => node.name))
  return asBadInput(
    () =>
      scene.animations.map((animation) => {
        const options = { name: animation.name, aliases, reference: 0, firstFrame: 1, weights }
        const made = retargetMotion(skeleton, motionFromScene(scene, animation), options)
        return { file: path, ...made, reference: undefined }
      }),
    path,
  )
}

function notAMotion(path: string): BadInput {
  return new BadInput(`${path} is no motion; pass a .bvh, or a glTF file with animations.`)
}

function referenceOf(
  text: string,
  { frameCount, frameTime }: BvhMotion,
  { naming }: NamedFiles,
): RetargetOptions['reference'] {
  if (text === 'auto' || text === 'first' || text === 'none') return text
  const seconds = text.trim() === '' ? Number.NaN : Number(text)
  const frame = Math.round(seconds / frameTime)
  if (frame >= 0 && frame < frameCount) return frame
  const end = Number((frameTime * (frameCount - 1)).toPrecision(4))
  throw new BadInput(`${naming.field('reference')} is '${text}'; pass auto, first, none, or seconds from 0 to ${end}.`)
}
