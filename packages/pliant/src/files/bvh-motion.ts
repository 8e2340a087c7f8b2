/**
 * Biovision motion (`.bvh`): a skeleton of offsets and Euler angles per frame, as text. Angles become quaternions, in
 * whichever order the file has its channels; lengths stay in the file's own unit, which it does not say.
 */
import { quoted } from './file-error.js'
import { TextScanner } from './text-scanner.js'

export interface BvhMotion {
  joints: BvhJoint[]
  frameCount: number
  /** Seconds from frame to frame. */
  frameTime: number
  /** Unit quaternions x, y, z, w to the parent's space, frame after frame, 4 per joint. */
  rotations: Float32Array
  /** Translations to the parent's space: the offset, or where the file moves the joint, 3 per joint. */
  translations: Float32Array
}

export interface BvhJoint {
  name: string
  /** Its parent's number, which is lower; -1 for a root. */
  parent: number
  /** From the parent when nothing moves. */
  offset: [number, number, number]
  /** From this joint to the end of its bone, if the file says so. */
  endSite: [number, number, number] | undefined
}

interface Channel {
  joint: number
  kind: 'position' | 'rotation'
  axis: number
}

const MOST_JOINTS = 10_000
/** How many levels of braces are read. */
export const DEEPEST_BVH = 1_000
const CHANNEL = /^([xyz])(position|rotation)$/i

/** @throws FileError naming the line that is wrong */
export function readBvhMotion(bytes: Uint8Array): BvhMotion {
  const scanner = new TextScanner('bvh', bytes)
  if (!scanner.toNextWord() || !scanner.takeWord('hierarchy')) {
    throw scanner.error('the file does not begin with HIERARCHY; check that it is a Biovision motion.')
  }
  const { joints, channels } = readHierarchy(scanner)
  expectWord(scanner, 'frames:', 'Frames:')
  // A frame takes at least a digit and a blank for each channel.
  const frameCount = scanner.readCount('frames', Math.max(1, 2 * channels.length))
  expectWord(scanner, 'frame', 'Frame Time:')
  expectWord(scanner, 'time:', 'Frame Time:')
  const frameTime = scanner.readNumber('the frame time')
  if (!(frameTime > 0)) throw scanner.error(`the frame time is ${frameTime}; give seconds above 0.`)
  if (frameCount < 1) throw scanner.error('the file has no frames; check it was written completely.')
  if (channels.length === 0) throw scanner.error('no joint has channels, so nothing can move; check the file.')
  // Joints without channels take no bytes in a frame; what is allocated must not outgrow the file all the same.
  if (joints.length * frameCount > bytes.length) {
    throw scanner.error(`${frameCount} frames of ${joints.length} joints do not fit its bytes; check the file.`)
  }
  return { joints, frameCount, frameTime, ...readFrames(scanner, joints, channels, frameCount) }
}

/** True if the bytes begin as a Biovision motion does. */
export function looksLikeBvh(bytes: Uint8Array): boolean {
  const scanner = new TextScanner('bvh', bytes, 0, Math.min(bytes.length, 4096))
  return scanner.toNextWord() && scanner.takeWord('hierarchy')
}

/** Reads up to and including the word MOTION. */
function readHierarchy(scanner: TextScanner): { joints: BvhJoint[]; channels: Channel[] } {
  const joints: BvhJoint[] = []
  const channels: Channel[] = []
  /** Open braces: joint numbers, or -1 for an end site. */
  const open: number[] = []
  for (;;) {
    if (!scanner.toNextWord()) throw scanner.cutShort('the word MOTION')
    const word = scanner.word()
    const keyword = word.toLowerCase()
    const current = open.at(-1)
    if (keyword === 'motion' && open.length === 0 && joints.length > 0) return { joints, channels }
    if (
      (keyword === 'root' && current === undefined) ||
      (keyword === 'joint' && current !== undefined && current >= 0)
    ) {
      scanner.skipBlanks()
      const rest = scanner.restOfLine()
      // Not by an expression with \s*, which tries again at every blank of a line of blanks.
      const name = rest.endsWith('{') ? rest.slice(0, -1).trimEnd() : rest
      if (scanner.bytes[scanner.position - 1] !== 123) expectBrace(scanner)
      joints.push({ name, parent: current ?? -1, offset: [0, 0, 0], endSite: undefined })
      open.push(joints.length - 1)
      if (joints.length > MOST_JOINTS || open.length > DEEPEST_BVH) {
        throw scanner.error(`it has more than ${MOST_JOINTS} joints or ${DEEPEST_BVH} levels; check the file.`)
      }
    } else if (keyword === 'end' && current !== undefined && current >= 0) {
      expectWord(scanner, 'site', 'End Site')
      expectBrace(scanner)
      open.push(-1)
    } else if (keyword === 'offset' && current !== undefined) {
      const what = 'three numbers of an OFFSET'
      const offset: [number, number, number] = [0, 0, 0]
      for (let axis = 0; axis < 3; axis++) offset[axis] = checkedLength(scanner, scanner.readNumberOnLine(what))
      if (current >= 0) joints[current].offset = offset
      else joints[open[open.length - 2]].endSite = offset
    } else if (keyword === 'channels' && current !== undefined && current >= 0) {
      readChannels(scanner, current, channels)
    } else if (word === '}' && current !== undefined) open.pop()
    else {
      throw scanner.error(`line ${scanner.line()} has ${quoted(word)} where it cannot be; check the file.`)
    }
  }
}

function readChannels(scanner: TextScanner, joint: number, channels: Channel[]): void {
  const count = scanner.readInteger('the number of CHANNELS')
  if (count < 0 || count > 6) {
    throw scanner.error(`line ${scanner.line()} declares ${count} channels for one joint; 0 to 6 are possible.`)
  }
  for (let i = 0; i < count; i++) {
    if (!scanner.toNextWord()) throw scanner.cutShort('the names of its CHANNELS')
    const word = scanner.word()
    const match = CHANNEL.exec(word)
    if (match === null) {
      throw scanner.error(`line ${scanner.line()} has the channel ${quoted(word)}; Xposition to Zrotation are known.`)
    }
    const kind = match[2].toLowerCase() as Channel['kind']
    channels.push({ joint, kind, axis: 'xyz'.indexOf(match[1].toLowerCase()) })
  }
}

function readFrames(
  scanner: TextScanner,
  joints: BvhJoint[],
  channels: Channel[],
  frameCount: number,
): Pick<BvhMotion, 'rotations' | 'translations'> {
  const rotations = new Float32Array(4 * joints.length * frameCount)
  const translations = new Float32Array(3 * joints.length * frameCount)
  const turns = new Float64Array(4 * joints.length)
  const places = new Float64Array(3 * joints.length)
  const moved = new Set(channels.filter(({ kind }) => kind === 'position').map(({ joint }) => joint))
  for (let frame = 0; frame < frameCount; frame++) {
    joints.forEach(({ offset }, joint) => {
      turns.set([0, 0, 0, 1], 4 * joint)
      places.set(moved.has(joint) ? [0, 0, 0] : offset, 3 * joint)
    })
    for (const { joint, kind, axis } of channels) {
      const value = scanner.readNumber(`frame ${frame + 1} of ${frameCount}`)
      if (kind === 'position') places[3 * joint + axis] = checkedLength(scanner, value)
      // Whole turns come off first: large angles would lose their digits, and the largest overflow.
      else turnAboutAxis(turns, 4 * joint, axis, ((value % 360) * Math.PI) / 180)
    }
    rotations.set(turns, frame * turns.length)
    translations.set(places, frame * places.length)
  }
  return { rotations, translations }
}

/** Places are kept in single precision, which ends at 3.4e38. */
function checkedLength(scanner: TextScanner, value: number): number {
  if (Number.isFinite(Math.fround(value))) return value
  throw scanner.error(`line ${scanner.line()} has the length ${value}; check the file.`)
}

/** q * turn: each further channel turns about the axes that those before it have turned. */
function turnAboutAxis(q: Float64Array, at: number, axis: number, angle: number): void {
  const sine = Math.sin(angle / 2)
  const cosine = Math.cos(angle / 2)
  const [p, r] = [(axis + 1) % 3, (axis + 2) % 3]
  const [a, b, c, w] = [q[at + axis], q[at + p], q[at + r], q[at + 3]]
  q[at + axis] = a * cosine + w * sine
  q[at + p] = b * cosine + c * sine
  q[at + r] = c * cosine - b * sine
  q[at + 3] = w * cosine - a * sine
}

function expectWord(scanner: TextScanner, keyword: string, shown: string): void {
  if (!scanner.toNextWord()) throw scanner.cutShort(`'${shown}'`)
  const start = scanner.position
  const word = scanner.word()
  if (word.toLowerCase() === keyword) return
  scanner.position = start
  throw scanner.error(`line ${scanner.line()} has ${quoted(word)} where '${shown}' is due; check the file.`)
}

function expectBrace(scanner: TextScanner): void {
  expectWord(scanner, '{', '{')
}
