/** What a surface of triangles is and what is wrong with it. */

import { type TriangleMesh, validateMesh } from 'pliant'
import { boxDiagonal, meshBox, meshVolume } from 'pliant/unstable'
import { formatCount, formatNumber, formatPoint } from '../format.js'
import { issueRows } from './issues.js'

export interface Described {
  readonly json: Readonly<Record<string, unknown>>
  readonly rows: [string, string][]
}

/** Faults after which the surface has no well-defined inside. */
const OPENING = ['open-boundary', 'non-manifold-edge', 'inconsistent-winding', 'no-triangles']

export function describeMesh(mesh: TriangleMesh): Described {
  const issues = validateMesh(mesh)
  const broken = issues.some(({ severity }) => severity === 'error')
  const closed = !broken && !issues.some(({ kind }) => OPENING.includes(kind))
  const box = meshBox(mesh)
  const diagonal = boxDiagonal(box)
  const [vertices, triangles] = [mesh.positions.length / 3, mesh.triangles.length / 3]
  const area = broken ? null : surfaceArea(mesh)
  const volume = closed ? meshVolume(mesh) : null
  return {
    json: { vertices, triangles, closed, volume, area, box, diagonal, issues },
    rows: [
      ['vertices', formatCount(vertices)],
      ['triangles', formatCount(triangles)],
      ['closed', closed ? 'yes' : 'no'],
      ...(volume === null ? [] : [['volume', `${formatNumber(volume)} m^3`] as [string, string]]),
      ...(area === null ? [] : [['area', `${formatNumber(area)} m^2`] as [string, string]]),
      ['box', `${formatPoint(box.lower)} to ${formatPoint(box.upper)} m`],
      ['diagonal', `${formatNumber(diagonal)} m`],
      ...issueRows(issues),
    ],
  }
}

/** [m^2] */
function surfaceArea({ positions: p, triangles }: TriangleMesh): number {
  let twice = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    twice += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
  }
  return twice / 2
}
