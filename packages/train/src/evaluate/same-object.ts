/** Whether two trained files are of one object: only then do the same poses and points mean the same to both. */
import type { ObjectArtifact } from 'pliant'
import { BadInput } from '../input/bad-input.js'

/**
 * Modes and their number may differ between files of an elastic body, which each encodes for itself; of other objects
 * the code is what is posed, so the modes must be the same.
 * @throws BadInput saying in what they differ
 */
export function requireSameObject(first: ObjectArtifact, second: ObjectArtifact): void {
  const difference = differenceOf(first, second)
  if (difference === undefined) return
  throw new BadInput(
    `${second.manifest.name} is another object than ${first.manifest.name}: ${difference}; pass a file that was trained on the same one.`,
  )
}

function differenceOf(a: ObjectArtifact, b: ObjectArtifact): string | undefined {
  if (a.kind !== b.kind) return `it is of kind ${b.kind}, not ${a.kind}`
  if (a.kind === 'elastic-body' && b.kind === 'elastic-body') {
    const [mesh, other] = [a.body.mesh, b.body.mesh]
    if (!equal(mesh.tetrahedra, other.tetrahedra)) {
      return `it has ${other.tetrahedra.length / 4} tetrahedra of its own, not the ${mesh.tetrahedra.length / 4} of the first`
    }
    return equal(mesh.positions, other.positions) ? undefined : 'its nodes lie elsewhere'
  }
  const [model, other] = [a.model, b.model]
  if (!equal(model.triangles, other.triangles)) {
    return `it has ${other.triangles.length / 3} triangles of its own, not the ${model.triangles.length / 3} of the first`
  }
  if (!equal(model.rest, other.rest)) return 'its vertices lie elsewhere'
  if (!equal(model.modes, other.modes)) return `its ${other.codeSize} modes are not the ${model.codeSize} of the first`
  const { bounds } = model
  const same = equal(bounds.lower, other.bounds.lower) && equal(bounds.upper, other.bounds.upper)
  return same ? undefined : 'its code has another range'
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
