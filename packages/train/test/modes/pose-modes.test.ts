import { ModalBody, randomStream } from 'pliant'
import { lumpedMasses } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { poseModes } from '../../src/modes/pose-modes.js'
import { boxOfTets } from './box-of-tets.js'

const mesh = boxOfTets([4, 2, 2], [0.4, 0.2, 0.2])
const rest = mesh.positions
const masses = lumpedMasses(mesh, 1000)

/** Two ways to move, one three times as far as the other, and the body turned and carried away. */
function posesOf(count: number): Float32Array {
  const random = randomStream(5, 1)
  const poses = new Float32Array(count * rest.length)
  for (let pose = 0; pose < count; pose++) {
    const [a, b] = [0.3 * random.normal(), 0.1 * random.normal()]
    const angle = random.between(-3, 3)
    for (let i = 0; i < rest.length; i += 3) {
      const x = rest[i] * (1 + a)
      const y = rest[i + 1] * (1 - 0.4 * a) + b * (rest[i] - 0.2) ** 2 * 20
      poses[pose * rest.length + i] = Math.cos(angle) * x - Math.sin(angle) * y + 3
      poses[pose * rest.length + i + 1] = Math.sin(angle) * x + Math.cos(angle) * y
      poses[pose * rest.length + i + 2] = rest[i + 2] * (1 - 0.4 * a) - 1
    }
  }
  return poses
}

describe('poseModes', () => {
  const poses = posesOf(60)
  const modes = poseModes(rest, masses, poses, 6)
  const count = modes.length / rest.length

  it('are orthonormal with masses counted', () => {
    expect(count).toBe(6)
    for (let a = 0; a < count; a++) {
      for (let b = 0; b <= a; b++) {
        const dot = rest.reduce(
          (sum, _, i) => sum + modes[a * rest.length + i] * masses[Math.floor(i / 3)] * modes[b * rest.length + i],
          0,
        )
        expect(dot).toBeCloseTo(a === b ? 1 : 0, 6)
      }
    }
  })

  it('leave out next to nothing of poses that differ in two ways, and see no rigid motion', () => {
    const body = new ModalBody({ rest, masses, modes })
    const [code, frame, shape] = [new Float64Array(count), new Float64Array(16), new Float64Array(rest.length)]
    for (let pose = 0; pose < 60; pose += 7) {
      const positions = poses.subarray(pose * rest.length, (pose + 1) * rest.length)
      body.encode(positions, code, frame)
      body.positions(code, shape)
      for (let i = 0; i < rest.length; i += 3) {
        for (let row = 0; row < 3; row++) {
          const world =
            frame[row] * shape[i] + frame[4 + row] * shape[i + 1] + frame[8 + row] * shape[i + 2] + frame[12 + row]
          expect(Math.abs(world - positions[i + row])).toBeLessThan(2e-3)
        }
      }
    }
  })

  it('are no more than the poses differ in', () => {
    const same = new Float32Array(5 * rest.length)
    for (let pose = 0; pose < 5; pose++) same.set(poses.subarray(0, rest.length), pose * rest.length)
    expect(poseModes(rest, masses, same, 4).length / rest.length).toBe(1)
  })
})
