/** Sheets and measures that the cloth tests share. */
import type { SignedField } from '../../../src/field/signed-field.js'
import type { Cloth } from '../../../src/sim/cloth/cloth.js'

export const FRAME = 1 / 60

/** No air, no damping of any kind: what is left is stretch, bend and gravity. */
export const VACUUM = { airDensity: 0, drag: 0, damping: 0 } as const

export function run(cloth: Cloth, frames: number, each?: (frame: number) => void): void {
  for (let frame = 0; frame < frames; frame++) {
    each?.(frame)
    cloth.step(FRAME)
  }
}

/** Least distance [m] of vertices and of face centres from a field's surface. */
export function deepest(cloth: Cloth, field: SignedField): { vertex: number; face: number } {
  const { positions: x, triangles } = cloth
  const faces = triangles.length / 3
  const centres = new Float64Array(3 * faces)
  for (let i = 0; i < centres.length; i++) {
    const [f, axis] = [Math.trunc(i / 3), i % 3]
    for (let corner = 0; corner < 3; corner++) centres[i] += x[3 * triangles[3 * f + corner] + axis] / 3
  }
  return { vertex: least(field, x), face: least(field, centres) }
}

function least(field: SignedField, points: Float64Array): number {
  const distances = new Float64Array(points.length / 3)
  field.query(points, distances.length, distances)
  return distances.reduce((a, b) => Math.min(a, b))
}

/** Mean of one coordinate over all vertices. */
export function mean(cloth: Cloth, axis: number): number {
  let sum = 0
  for (let i = axis; i < cloth.positions.length; i += 3) sum += cloth.positions[i]
  return sum / cloth.vertexCount
}

export function allFinite(values: Float64Array): boolean {
  return values.every(Number.isFinite)
}
