/** A body of two cubes, one around the origin and one around (2, 0, 0), each a part that has the other as neighbour. */
import { randomStream } from '../../../src/math/random.js'
import type { BoneFrame } from '../../../src/net/bones/bone-shape.js'
import { PartFrames } from '../../../src/net/bones/part-frames.js'
import type { PartsBody } from '../../../src/net/bones/parts-at-rest.js'

export const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1]
/** A quarter turn about z, row by row. */
export const QUARTER = [0, -1, 0, 1, 0, 0, 0, 0, 1]

const CORNERS = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z])))

export function twoCubes(codeSize = 3, seed = 1): PartsBody {
  const rest = Float64Array.from([0, 2].flatMap((shift) => CORNERS.flatMap(([x, y, z]) => [x + shift, y, z])))
  const random = randomStream(seed, 1)
  const modes = Float64Array.from({ length: codeSize * rest.length }, () => 0.2 * random.normal())
  return { rest, masses: new Float64Array(16).fill(0.5), modes, codeSize }
}

/** @param axes of the first part; the second's are the world's */
export function twoParts(body: PartsBody, axes: readonly number[] = UPRIGHT): PartFrames {
  const bones = [{ drivers: [1] }, { drivers: [0] }] as BoneFrame[]
  const weights = Float32Array.from({ length: 32 }, (_, i) => (Math.floor(i / 16) === Math.floor((i % 16) / 8) ? 1 : 0))
  return new PartFrames({ bones }, { weights, axes: Float32Array.from([...axes, ...UPRIGHT]) }, body)
}

/** Nodes where a part's cube is moved by F (row by row) and then shifted; each part by its own. */
export function moved(
  body: PartsBody,
  motions: readonly { f: readonly number[]; shift: readonly number[] }[],
): Float64Array {
  return Float64Array.from(body.rest, (_, i) => {
    const [node, row] = [Math.floor(i / 3), i % 3]
    const { f, shift } = motions[node < 8 ? 0 : 1]
    const [x, y, z] = body.rest.subarray(3 * node, 3 * node + 3)
    return f[3 * row] * x + f[3 * row + 1] * y + f[3 * row + 2] * z + shift[row]
  })
}
