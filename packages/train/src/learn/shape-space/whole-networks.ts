/** Networks that were learned along directions, multiplied out to numbers of a domain's vertices. */
import type { StoredNetwork } from 'pliant/unstable'
import type { Domain } from './domain-data.js'

/** The encoder on numbers of the domain's vertices: its first layer times the directions. */
export function wholeEncoder({ directions, unit }: Domain, { shape, tensors: learned }: StoredNetwork): StoredNetwork {
  const first = learned.get('dense.0.weight')!
  const { count, length, rows } = directions
  const units = first.length / count
  const whole = new Float32Array(length * units)
  for (let d = 0; d < count; d++) {
    for (let i = 0; i < length; i++) {
      const weight = rows[d * length + i] / unit
      for (let u = 0; u < units; u++) whole[i * units + u] += weight * first[d * units + u]
    }
  }
  const tensors = new Map([...learned, ['dense.0.weight', whole] as const])
  return { shape: { ...shape, inputs: length }, tensors }
}

/** The decoder to numbers of the domain's vertices: its last layer times the directions. */
export function wholeDecoder({ directions, unit }: Domain, { shape, tensors: learned }: StoredNetwork): StoredNetwork {
  const tensors = new Map(learned)
  const layer = shape.hidden.length
  const { count, length, rows } = directions
  for (const name of [`dense.${layer}.weight`, `dense.${layer}.bias`]) {
    const values = learned.get(name)!
    const whole = new Float32Array((values.length / count) * length)
    for (let at = 0; at < values.length; at++) {
      const [row, d] = [Math.trunc(at / count), at % count]
      const weight = unit * values[at]
      for (let i = 0; i < length; i++) whole[row * length + i] += weight * rows[d * length + i]
    }
    tensors.set(name, whole)
  }
  return { shape: { ...shape, outputs: length }, tensors }
}
