/** Motions from other files for a character: recordings (`.bvh`) and glTF animations, and how well they fit it. */
import {
  areaOfJoints,
  type Clip,
  type JointAliases,
  motionFromScene,
  type Retargeted,
  type RetargetOptions,
  retargetMotion,
  rigFromScene,
  type Skeleton,
  type SkinnedSurface,
} from 'pliant/character'
import { type BvhMotion, looksLikeBvh, readBvhMotion } from 'pliant/files'
import type { Arguments } from './arguments.js'
import type { Option } from './declaration.js'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'
import { formatCount } from './format.js'
import { readMesh } from './surface.js'

/** Share of the surface that a motion must move, unless told otherwise. */
export const LEAST_MATCHED = 0.75

/** For every verb that takes motions. */
export const MOTION_OPTIONS: Readonly<Record<string, Option>> = {
  aliases: {
    value: 'FILE',
    help: 'of motions: JSON { "their joint": "the character\'s" } for joints that are not found by name; null: moves nothing',
  },
  reference: {
    value: 'POSE',
    help: 'of .bvh motions: what stands as the character at rest: first (frame, then left out), none (zero angles), or SECONDS; default auto: first if it stands, sides alike, and jumps to the next, else none',
  },
  'min-matched': {
    value: 'SHARE',
    help: `of motions: refuse those whose joints move less than this share (0 to 1) of the surface (default ${LEAST_MATCHED})`,
  },
}

export interface MotionSettings {
  aliases: JointAliases
  /** As on the command line. */
  reference: string
  leastMatched: number
}

export interface ReadMotion extends Pick<Retargeted, 'matched' | 'missing' | 'unused' | 'share'> {
  file: string
  clip: Clip
  /** Of a recording; of clips of the same rig there is nothing to compare. */
  reference: Retargeted['reference'] | undefined
}

export async function motionSettings(args: Pick<Arguments, 'text' | 'number'>): Promise<MotionSettings> {
  const path = args.text('aliases')
  return {
    aliases: path === undefined ? {} : await readAliases(path),
    reference: args.text('reference') ?? 'auto',
    leastMatched: args.number('min-matched', { lower: 0, upper: 1 }) ?? LEAST_MATCHED,
  }
}

export const USUAL_MOTIONS: MotionSettings = { aliases: {}, reference: 'auto', leastMatched: LEAST_MATCHED }

/**
 * @param list paths, separated by commas
 * @throws UsageError if a file is no motion, moves too little of the character, or an alias is of no joint
 */
export async function readMotions(
  list: string | undefined,
  body: { skeleton: Skeleton; surface: SkinnedSurface },
  settings: MotionSettings,
): Promise<ReadMotion[]> {
  const paths = list?.split(',').map((entry) => entry.trim()) ?? []
  const used = new Set<string>()
  const motions: ReadMotion[] = []
  for (const path of paths) {
    for (const motion of await readMotionFile(path, body, settings, used)) {
      requireShare(motion, settings)
      motions.push(motion)
    }
  }
  const unknown = Object.keys(settings.aliases).find((name) => !used.has(name))
  if (paths.length > 0 && unknown !== undefined) {
    throw new UsageError(`--aliases: no motion has a joint '${unknown}'; check its spelling.`)
  }
  return motions
}

/** One line for people: what moves, what stays at rest, what was taken for the standing pose. */
export function describeMotion({ file, clip, matched, missing, share, reference }: ReadMotion): string {
  const all = matched.length + missing.length
  const rest = missing.length > 0 ? `, at rest: ${someOf(missing)}` : ''
  const percent = `${Math.floor(100 * share)}% of the surface`
  const pose =
    reference === undefined
      ? ''
      : reference.frame === undefined
        ? `; compared at zero angles: ${reference.why}`
        : `; compared at frame ${reference.frame}${reference.firstFrame > reference.frame ? ', which is left out' : ''}: ${reference.why}`
  return `${file}, '${clip.name}': ${formatCount(matched.length)} of ${formatCount(all)} joints found (${percent})${rest}${pose}`
}

/** The same for `--json`. */
export function motionJson({ file, clip, matched, missing, unused, share, reference }: ReadMotion): object {
  return {
    file,
    clip: clip.name,
    seconds: clip.duration,
    share,
    matched,
    atRest: missing,
    unused,
    reference: reference ?? null,
  }
}

export const MOTION_KEY =
  'one per clip of --motion: { file, clip, seconds, share of the surface that is moved, matched: { joint, from }[], atRest, unused: joints of the motion, reference: { frame, firstFrame, why } or null, trained }'

function someOf(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ')
}

function requireShare({ file, share, missing, unused }: ReadMotion, { leastMatched }: MotionSettings): void {
  if (share >= leastMatched) return
  const theirs = unused.length > 0 ? `; the motion's ${someOf(unused)} move nothing` : ''
  throw new UsageError(
    `${file}: its joints move ${Math.floor(100 * share)}% of the surface, ${100 * leastMatched}% are needed; ${someOf(missing)} would stay at rest${theirs}; match them with --aliases, or lower --min-matched.`,
  )
}

async function readMotionFile(
  path: string,
  { skeleton, surface }: { skeleton: Skeleton; surface: SkinnedSurface },
  settings: MotionSettings,
  used: Set<string>,
): Promise<ReadMotion[]> {
  const bytes = await readInput(path)
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
    const reference = referenceOf(settings.reference, motion)
    const made = await asBadInput(() => retargetMotion(skeleton, motion, { name, aliases, reference, weights }), path)
    return [{ file: path, ...made }]
  }
  if (!/\.(glb|gltf)$/i.test(path)) throw notAMotion(path)
  const file = await readMesh(path)
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

function notAMotion(path: string): UsageError {
  return new UsageError(`${path} is no motion; pass a .bvh, or a glTF file with animations.`)
}

function referenceOf(text: string, { frameCount, frameTime }: BvhMotion): RetargetOptions['reference'] {
  if (text === 'auto' || text === 'first' || text === 'none') return text
  const seconds = text.trim() === '' ? Number.NaN : Number(text)
  const frame = Math.round(seconds / frameTime)
  if (frame >= 0 && frame < frameCount) return frame
  const end = Number((frameTime * (frameCount - 1)).toPrecision(4))
  throw new UsageError(`--reference is '${text}'; pass auto, first, none, or seconds from 0 to ${end}.`)
}

async function readAliases(path: string): Promise<JointAliases> {
  const bytes = await readInput(path)
  const value: unknown = await asBadInput(() => JSON.parse(new TextDecoder().decode(bytes)), path)
  const isNames = (entry: unknown) => typeof entry === 'string' || entry === null
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.values(value).every(isNames)) {
    throw new UsageError(`${path}: aliases are no object of names; write { "their joint": "the character's" }.`)
  }
  return value as JointAliases
}
