/** What a recorded motion (.bvh) is: joints, frames, size, and how it stands in its first frame. */
import {
  type BvhMotion,
  bodyMap,
  findReference,
  type Landmarks,
  PosedMotion,
  readBvhMotion,
  uprightAxes,
} from 'pliant/unstable'
import { asBadInput } from '../errors.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import type { Report } from '../output.js'

/** Heights of people [m]: a motion whose height lies here in some unit is taken to be in it. */
const PEOPLE = [1.1, 2.4] as const
const UNITS = { metres: 1, centimetres: 0.01, inches: 0.0254, millimetres: 0.001 } as const
/** What the unit is told from where none fits [m]. */
const USUAL_HEIGHT = 1.7

export async function inspectMotion(path: string, bytes: Uint8Array): Promise<Report> {
  const motion = await asBadInput(() => readBvhMotion(bytes), path)
  const { frameCount, frameTime } = motion
  const names = motion.joints.map(({ name }) => name)
  const { roles, spine, neck } = bodyMap(
    names,
    motion.joints.map(({ parent }) => parent),
  )
  const where: Landmarks = (role) => roles.indexOf(role)
  const axes = uprightAxes(motion, where)
  const reference = findReference(motion, where, axes)
  const height = standingHeight(motion, axes, reference.frame)
  const unit = unitOf(height)
  const joints = names.map((name, i) => ({
    name,
    part: roles[i] ?? (spine.includes(i) ? 'spine' : neck.includes(i) ? 'neck' : null),
  }))
  const known = joints.filter(({ part }) => part !== null).length
  const isReference = reference.frame === 0
  const seconds = frameTime * (frameCount - 1)
  const turned = axes[3] < 1
  const rows: [string, string][] = [
    ['file', `${path}: motion, bvh`],
    ['joints', `${formatCount(names.length)}, of which ${formatCount(known)} are known as parts of a body`],
    ...joints.map(({ name, part }): [string, string] => [
      `  ${name || '(no name)'}`,
      part ?? 'found by its name alone',
    ]),
    ['frames', `${formatCount(frameCount)}, ${formatNumber(1 / frameTime)} a second, ${formatSeconds(seconds)}`],
    [
      'height',
      `${formatNumber(height)} units: ${unit.name === null ? `of ${formatNumber(unit.metres)} m, if it is a grown person` : unit.name}`,
    ],
    ['up', turned ? 'another axis than +Y; it is turned upright' : '+Y'],
    [
      'first frame',
      `${isReference ? 'a reference pose, no part of the motion' : 'part of the motion'}: ${reference.why}`,
    ],
    ...faults(names).map((fault): [string, string] => ['warning', fault]),
  ]
  const json = {
    kind: 'motion',
    file: path,
    format: 'bvh',
    joints,
    frames: frameCount,
    framesPerSecond: 1 / frameTime,
    seconds,
    height,
    unit,
    firstFrame: { isReference, why: reference.why },
    issues: faults(names),
  }
  return { json, text: labelled(rows) }
}

function faults(names: readonly string[]): string[] {
  const nameless = names.filter((name) => name === '').length
  const repeated = [...new Set(names.filter((name, i) => name !== '' && names.indexOf(name) !== i))]
  return [
    ...(nameless > 0 ? [`${formatCount(nameless)} joints have no name; only their place in a body can tell them`] : []),
    ...(repeated.length > 0
      ? [`several joints are called ${repeated.join(', ')}; names alone do not tell them apart`]
      : []),
  ]
}

/** Vertical extent in the pose that it stands in, ends of bones included, in the file's unit. */
function standingHeight(motion: BvhMotion, axes: Float64Array, frame: number | undefined): number {
  const posed = new PosedMotion(withEnds(motion), axes)
  if (frame !== undefined) posed.pose(frame)
  let [low, high] = [Infinity, -Infinity]
  for (let i = 1; i < posed.places.length; i += 3) {
    low = Math.min(low, posed.places[i])
    high = Math.max(high, posed.places[i])
  }
  return high - low
}

/** The first frame, with the ends of bones as joints that do not move. */
function withEnds({ joints, rotations, translations, frameTime }: BvhMotion) {
  const ends = joints.flatMap(({ endSite }, parent) => (endSite ? [{ name: '', parent, offset: endSite }] : []))
  const count = joints.length
  return {
    joints: [...joints, ...ends],
    frameCount: 1,
    frameTime,
    rotations: Float32Array.from([...rotations.subarray(0, 4 * count), ...ends.flatMap(() => [0, 0, 0, 1])]),
    translations: Float32Array.from([...translations.subarray(0, 3 * count), ...ends.flatMap(({ offset }) => offset)]),
  }
}

function unitOf(height: number): { name: string | null; metres: number } {
  for (const [name, metres] of Object.entries(UNITS)) {
    if (height * metres >= PEOPLE[0] && height * metres <= PEOPLE[1]) return { name, metres }
  }
  return { name: null, metres: height > 0 ? USUAL_HEIGHT / height : 0 }
}
