/** Biovision motions written in code. */

export interface BvhJointRow {
  name: string
  /** Number of the joint it hangs from, or -1; the first is the root, and each joint follows its parent's others. */
  parent: number
  offset: readonly number[]
}

/** @param angles  degrees about z, x and y of each joint, frame by frame */
export function bvhText(
  joints: readonly BvhJointRow[],
  frames: readonly (readonly number[][])[],
  frameTime = 0.1,
  /** Of the root, by frame. */
  place: (frame: number) => number[] = () => [0, 0, 0],
): string {
  const order: number[] = []
  const write = (joint: number): string => {
    order.push(joint)
    const { name, parent, offset } = joints[joint]
    const rotations = 'Zrotation Xrotation Yrotation'
    const channels = parent < 0 ? `6 Xposition Yposition Zposition ${rotations}` : `3 ${rotations}`
    const below = joints.flatMap((other, i) => (other.parent === joint ? [write(i)] : []))
    const inside = below.length > 0 ? below.join('') : 'End Site\n{\nOFFSET 0 1 0\n}\n'
    return `${parent < 0 ? 'ROOT' : 'JOINT'} ${name}\n{\nOFFSET ${offset.join(' ')}\nCHANNELS ${channels}\n${inside}}\n`
  }
  const hierarchy = write(0)
  const lines = frames.map((angles, i) =>
    [place(i).join(' '), ...order.map((joint) => angles[joint].join(' '))].join(' '),
  )
  return `HIERARCHY\n${hierarchy}MOTION\nFrames: ${frames.length}\nFrame Time: ${frameTime}\n${lines.join('\n')}\n`
}

/** The tube's three joints under names of one's own, bending the second by 10 degrees a frame about x, the third by 5. */
export function tubeBvh({ names = ['root', 'middle', 'tip'], unit = 1, count = 5, first = 0 } = {}): string {
  const joints = names.map((name, i) => ({ name, parent: i - 1, offset: [0, i === 0 ? 0 : unit, 0] }))
  const frames = Array.from({ length: count }, (_, i) => [
    [0, 0, 0],
    [0, first + 10 * i, 0],
    [0, first / 2 + 5 * i, 0],
  ])
  return bvhText(joints, frames)
}
