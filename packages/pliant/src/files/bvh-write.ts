/**
 * Writes a recorded motion as Biovision text (`.bvh`), so that `readBvhMotion` gives it back.
 *
 * The format has offsets and angles and nothing else. Roots have positions; so have joints that leave their offsets, which
 * then are places in the parent's space and not additions to the offset (as in Blender; three.js's loader adds them).
 * Angles are in the order Z, Y, X, as in CMU's files, and go on from frame to frame without jumps where they can.
 */
import { type BvhMotion, DEEPEST_BVH } from './bvh-motion.js'
import { FileError } from './file-error.js'
import { encodeText } from './text-writer.js'

/** How far a joint may be from its offset before it gets positions, as a share of the skeleton's longest offset. */
const LOOSE = 1e-6

/** Digits of a length behind those of the largest one, and of an angle [degrees] behind the point. */
const LENGTH_DIGITS = 7
const ANGLE_DIGITS = 6

/**
 * @param motion  names may be any text and come twice: what is no ASCII word becomes `_`, numbers tell equal ones apart
 * @throws FileError naming a joint and a frame that is not finite
 */
export function writeBvh(motion: BvhMotion): Uint8Array {
  const { joints, frameCount, frameTime } = motion
  if (!(frameCount > 0 && frameTime > 0)) {
    throw new FileError('bvh', `${frameCount} frames of ${frameTime} s cannot be written; pass at least one.`)
  }
  requireFinite(motion)
  const order = depthFirst(joints)
  const moving = movingJoints(motion)
  const digits = lengthDigits(motion)
  const length = (value: number) => plainNumber(value, digits)
  const angles = new Float64Array(3 * joints.length)
  return encodeText([
    hierarchy(motion, order, moving, length),
    `MOTION\nFrames: ${frameCount}\nFrame Time: ${plainNumber(frameTime, 9)}\n`,
    {
      count: frameCount,
      row(frame) {
        const values: string[] = []
        for (const joint of order) {
          const at = frame * joints.length + joint
          if (moving[joint]) for (let k = 0; k < 3; k++) values.push(length(motion.translations[3 * at + k]))
          nextAngles(motion.rotations, 4 * at, angles, 3 * joint)
          for (let k = 0; k < 3; k++) values.push(plainNumber((angles[3 * joint + k] * 180) / Math.PI, ANGLE_DIGITS))
        }
        return `${values.join(' ')}\n`
      },
    },
  ])
}

function requireFinite({ joints, rotations, translations, frameCount }: BvhMotion): void {
  for (const { name, offset, endSite = [0, 0, 0] } of joints) {
    if ([...offset, ...endSite].every(Number.isFinite)) continue
    throw new FileError('bvh', `joint '${name}' has the offset ${offset.join(', ')}; pass finite numbers.`)
  }
  for (const [what, values, size] of [
    ['rotation', rotations, 4],
    ['place', translations, 3],
  ] as const) {
    if (values.length !== size * joints.length * frameCount) {
      throw new FileError(
        'bvh',
        `${values.length} numbers of ${what}s for ${joints.length} joints in ${frameCount} frames; pass ${size} each.`,
      )
    }
    const wrong = values.findIndex((value) => !Number.isFinite(value))
    if (wrong < 0) continue
    const joint = Math.floor(wrong / size) % joints.length
    const frame = Math.floor(wrong / size / joints.length)
    throw new FileError(
      'bvh',
      `the ${what} of joint ${joint} ('${joints[joint].name}') is ${values[wrong]} in frame ${frame}; pass finite numbers.`,
    )
  }
}

/** Each joint followed by all that hang from it, as the text nests them. */
function depthFirst(joints: BvhMotion['joints']): number[] {
  const children = joints.map((): number[] => [])
  const open: number[] = []
  const depth = new Int32Array(joints.length)
  joints.forEach(({ parent, name }, joint) => {
    if (parent >= joint) {
      throw new FileError('bvh', `joint ${joint} hangs from joint ${parent}; pass parents before children.`)
    }
    depth[joint] = parent < 0 ? 1 : depth[parent] + 1
    // An end site is a level of its own.
    if (depth[joint] >= DEEPEST_BVH) {
      throw new FileError(
        'bvh',
        `joint '${name}' is ${depth[joint]} levels deep, ${DEEPEST_BVH} are read; simplify it.`,
      )
    }
    if (parent >= 0) children[parent].push(joint)
    else open.push(joint)
  })
  const order: number[] = []
  open.reverse()
  while (open.length > 0) {
    const joint = open.pop()!
    order.push(joint)
    for (let i = children[joint].length - 1; i >= 0; i--) open.push(children[joint][i])
  }
  return order
}

/** Roots, and joints that are not always where their offset puts them. */
function movingJoints({ joints, translations, frameCount }: BvhMotion): boolean[] {
  const longest = Math.max(...joints.map(({ offset }) => Math.hypot(...offset)))
  return joints.map(({ parent, offset }, joint) => {
    if (parent < 0) return true
    for (let frame = 0; frame < frameCount; frame++) {
      const at = 3 * (frame * joints.length + joint)
      for (let k = 0; k < 3; k++) if (Math.abs(translations[at + k] - offset[k]) > LOOSE * longest) return true
    }
    return false
  })
}

/** Digits behind the point for lengths: skeletons may be in millimetres or in miles. */
function lengthDigits({ joints }: BvhMotion): number {
  const longest = Math.max(...joints.map(({ offset }) => Math.hypot(...offset)))
  return longest > 0 ? Math.min(20, Math.max(0, LENGTH_DIGITS - Math.floor(Math.log10(longest)))) : LENGTH_DIGITS
}

/** Without an exponent, which not everybody reads, and without zeros at the end. */
function plainNumber(value: number, digits: number): string {
  const text = value.toFixed(digits)
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return short === '-0' ? '0' : short
}

function hierarchy(
  { joints }: BvhMotion,
  order: readonly number[],
  moving: readonly boolean[],
  length: (value: number) => string,
): string {
  const names = safeNames(joints.map(({ name }) => name))
  const hasChild = new Set(joints.map(({ parent }) => parent))
  const lines = ['HIERARCHY']
  /** The joints whose braces are open. */
  const open: number[] = []
  const indent = () => '  '.repeat(open.length)
  const close = () => {
    open.pop()
    lines.push(`${indent()}}`)
  }
  for (const joint of order) {
    const { parent, offset, endSite } = joints[joint]
    while (open.length > 0 && open.at(-1) !== parent) close()
    lines.push(`${indent()}${parent < 0 ? 'ROOT' : 'JOINT'} ${names[joint]}`, `${indent()}{`)
    open.push(joint)
    const positions = moving[joint] ? 'Xposition Yposition Zposition ' : ''
    lines.push(`${indent()}OFFSET ${offset.map(length).join(' ')}`)
    lines.push(`${indent()}CHANNELS ${moving[joint] ? 6 : 3} ${positions}Zrotation Yrotation Xrotation`)
    if (endSite === undefined && hasChild.has(joint)) continue
    const end = (endSite ?? [0, 0, 0]).map(length).join(' ')
    lines.push(`${indent()}End Site`, `${indent()}{`, `${indent()}  OFFSET ${end}`, `${indent()}}`)
  }
  while (open.length > 0) close()
  return `${lines.join('\n')}\n`
}

/** One word each, no two the same: many readers end names at a blank, tell joints apart by them and know ASCII alone. */
function safeNames(names: readonly string[]): string[] {
  const words = names.map((name, joint) => {
    const word = name.trim().replace(/[^A-Za-z0-9_.-]+/g, '_')
    return /[A-Za-z0-9]/.test(word) ? word : `joint${joint}`
  })
  const taken = new Set(words)
  const counts = new Map<string, number>()
  return words.map((word) => {
    let number = (counts.get(word) ?? 0) + 1
    let name = number === 1 ? word : `${word}_${number}`
    while (number > 1 && taken.has(name)) name = `${word}_${++number}`
    counts.set(word, number)
    taken.add(name)
    return name
  })
}

/** Sine of the middle angle's complement below which the outer two turn about one axis. */
const GIMBAL = 1e-6

/**
 * Angles [rad] about Z, Y, X of a rotation, those of the frame before given in `out`: q = Z * Y * X. Of the two ways to
 * say it, and of all whole turns, those that are nearest to the frame before.
 */
function nextAngles(q: Float32Array, at: number, out: Float64Array, outAt: number): void {
  const length = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3])
  const [x, y, z, w] = [0, 1, 2, 3].map((k) => q[at + k] / length)
  const before = out.slice(outAt, outAt + 3)
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - x * z)))
  const cosine = Math.hypot(1 - 2 * (y * y + z * z), 2 * (x * y + w * z))
  if (cosine < GIMBAL) {
    // Only the sum or difference of the outer angles is known: X stays as it was.
    const side = sine > 0 ? 1 : -1
    const both = 2 * Math.atan2(x, w)
    out.set(nearest([side * before[2] - side * both, (side * Math.PI) / 2, before[2]], before), outAt)
    return
  }
  const angles = [
    Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)),
    Math.atan2(sine, cosine),
    Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
  ]
  const one = nearest(angles, before)
  const other = nearest([angles[0] + Math.PI, Math.PI - angles[1], angles[2] + Math.PI], before)
  const way = (to: number[]) => to.reduce((sum, angle, k) => sum + Math.abs(angle - before[k]), 0)
  out.set(way(other) < way(one) ? other : one, outAt)
}

function nearest(angles: readonly number[], before: ArrayLike<number>): number[] {
  return angles.map((angle, k) => angle - 2 * Math.PI * Math.round((angle - before[k]) / (2 * Math.PI)))
}
