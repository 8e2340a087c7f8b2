/** Faults that the mesh checks found, as rows and as JSON. What to do about each is said here, for a person. */
import type { MeshIssue, TetIssue } from 'pliant'

type Issue = Pick<MeshIssue | TetIssue, 'kind' | 'severity' | 'message'>

const REMEDIES: Readonly<Partial<Record<Issue['kind'], string>>> = {
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
  degenerate: 'mesh the body again with a higher least quality',
  inverted: 'turn their corners round, or mesh the body again',
  'repeated-node': 'mesh the body again',
  'crowded-face': 'remove the tetrahedra that overlap',
  'unreferenced-node': 'harmless for distances; remove loose nodes before simulating',
  'several-bodies': 'split the file if they are meant to be separate objects',
  'unwelded-vertex': 'harmless; they are joined where it matters',
}

/** A label (`error`, `warning`, `note`) and a line with the remedy. */
export function issueRows(issues: readonly Issue[]): [string, string][] {
  if (issues.length === 0) return [['issues', 'none']]
  return issues.map(({ kind, severity, message }) => {
    const remedy = REMEDIES[kind]
    return [severity === 'information' ? 'note' : severity, remedy ? `${message}; ${remedy}` : message]
  })
}
