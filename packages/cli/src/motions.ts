/** Motions on the command line: the options of every verb that takes them, and what is said of those that were read. */
import {
  LEAST_MATCHED,
  type MotionSettings,
  type ReadMotion,
  readAliases,
  readMotions as readMotionFiles,
  someOf,
} from '@pliant/train/unstable/poses'
import type { Skeleton, SkinnedSurface } from 'pliant/character'
import type { Arguments } from './arguments.js'
import type { Option } from './declaration.js'
import { asBadInput } from './errors.js'
import { TYPED_FILES } from './files.js'
import { formatCount } from './format.js'

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

export async function motionSettings(args: Pick<Arguments, 'text' | 'number'>): Promise<MotionSettings> {
  const path = args.text('aliases')
  return {
    aliases: path === undefined ? {} : await asBadInput(() => readAliases(path, TYPED_FILES)),
    reference: args.text('reference') ?? 'auto',
    leastMatched: leastMatched(args) ?? LEAST_MATCHED,
  }
}

export function leastMatched(args: Pick<Arguments, 'number'>): number | undefined {
  return args.number('min-matched', { lower: 0, upper: 1 })
}

/**
 * @param list paths, separated by commas
 * @throws UsageError if a file is no motion, moves too little of the character, or an alias is of no joint
 */
export function readMotions(
  list: string,
  body: { skeleton: Skeleton; surface: SkinnedSurface },
  settings: MotionSettings,
): Promise<ReadMotion[]> {
  return asBadInput(() => readMotionFiles(listed(list), body, settings, TYPED_FILES))
}

/** What an option names, separated by commas. */
export function listed(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
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
