/** Faults that the mesh checks found, as rows and as JSON. What to do about each is said here, for a person. */
import type { MeshIssue } from 'pliant'

const REMEDIES: Readonly<Record<string, string>> = {
  'index-out-of-range': 'export the mesh again',
  'position-not-finite': 'export the mesh again',
  'no-triangles': 'export it with its faces',
  'degenerate-face': 'harmless for distances; clean them up in a mesh editor if they are not meant',
  'duplicate-face': 'remove the copies; they count twice in the winding number',
  'open-boundary': 'close the holes if it is meant to be solid; until then inside is told by the winding number',
  'non-manifold-edge': 'split the sheets that meet there; until then inside is told by the winding number',
  'inconsistent-winding': 'recalculate the normals in a mesh editor',
  'inward-orientation': 'flip the normals; distances are right all the same',
  'unreferenced-vertex': 'harmless; remove loose vertices',
  'unwelded-vertex': 'harmless; they are joined where it matters',
}

/** A label (`error`, `warning`, `note`) and a line with the remedy. */
export function issueRows(issues: readonly Pick<MeshIssue, 'kind' | 'severity' | 'message'>[]): [string, string][] {
  if (issues.length === 0) return [['issues', 'none']]
  return issues.map(({ kind, severity, message }) => {
    const remedy = REMEDIES[kind]
    return [severity === 'information' ? 'note' : severity, remedy ? `${message}; ${remedy}` : message]
  })
}
