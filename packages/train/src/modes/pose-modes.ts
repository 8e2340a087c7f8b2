/**
 * The displacements in which poses of a body differ most: principal components with masses counted, U^T M U = I, by the
 * method of snapshots (Sirovich 1987). Vibrations are the softest ways to move a body gently; poses are neither gentle nor
 * all ways alike, and as many components leave out less of them (docs/notes/body.md).
 */
import { RigidAlignment } from 'pliant/unstable'
import { symmetricEigen } from './symmetric-eigen.js'

/** Poses that components are made of, spread evenly over all: enough for a hundred of them. */
const SNAPSHOTS = 500
/** Components whose share of the whole is less are noise. */
const LEAST_SHARE = 1e-9

/**
 * @param poses   positions of all nodes, pose after pose, wherever the body was
 * @param count   of components; fewer come if the poses do not differ in as many
 * @returns one after the other, each as long as `rest`
 */
export function poseModes(rest: Float64Array, masses: Float64Array, poses: Float32Array, count: number): Float64Array {
  const snapshots = weightedSnapshots(rest, masses, poses)
  const size = snapshots.length
  const { values, vectors } = symmetricEigen(products(snapshots), size)
  const kept = Math.min(count, values.filter((value) => value > LEAST_SHARE * values[size - 1]).length)
  const modes = new Float64Array(kept * rest.length)
  for (let k = 0; k < kept; k++) {
    const mode = modes.subarray(k * rest.length, (k + 1) * rest.length)
    const from = (size - 1 - k) * size
    const unit = 1 / Math.sqrt(values[size - 1 - k])
    snapshots.forEach((snapshot, s) => {
      const weight = unit * vectors[from + s]
      for (let i = 0; i < mode.length; i++) mode[i] += weight * snapshot[i]
    })
    for (let i = 0; i < mode.length; i++) mode[i] /= Math.sqrt(masses[Math.floor(i / 3)])
  }
  return modes
}

/** Displacements from rest without rigid motion, times the roots of the masses. */
function weightedSnapshots(rest: Float64Array, masses: Float64Array, poses: Float32Array): Float64Array[] {
  const alignment = new RigidAlignment(rest, masses)
  const frame = new Float64Array(16)
  const count = poses.length / rest.length
  const taken = Math.min(SNAPSHOTS, count)
  return Array.from({ length: taken }, (_, s) => {
    const pose = Math.floor((s * count) / taken)
    const positions = poses.subarray(pose * rest.length, (pose + 1) * rest.length)
    alignment.align(positions, frame)
    return Float64Array.from(rest, (place, i) => {
      const [axis, at] = [i % 3, i - (i % 3)]
      const [x, y, z] = [positions[at] - frame[12], positions[at + 1] - frame[13], positions[at + 2] - frame[14]]
      const local = frame[4 * axis] * x + frame[4 * axis + 1] * y + frame[4 * axis + 2] * z
      return Math.sqrt(masses[Math.floor(i / 3)]) * (local - place)
    })
  })
}

/** Of every snapshot with every other, a symmetric matrix. */
function products(snapshots: Float64Array[]): Float64Array {
  const size = snapshots.length
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const [a, b] = [snapshots[i], snapshots[j]]
      let sum = 0
      for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
      matrix[i * size + j] = matrix[j * size + i] = sum
    }
  }
  return matrix
}
