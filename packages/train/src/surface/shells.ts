/**
 * The shells that a surface is made of, each turned to face outward. Characters come as several: limbs, eyes, clothes;
 * some wound inside out (mirrored parts), some open (cuffs, necks), some mere sheets (capes, hair cards).
 */
import { type EdgeTable, edgeTable, firstAtSamePlace } from 'pliant/unstable'

export interface Shell {
  /** Vertex triples, counter-clockwise from outside. */
  triangles: Uint32Array
  /** [m^2] */
  area: number
  /** Edges with one triangle of this shell, equal positions taken as one. */
  openEdges: number
  /** Edges with more than two. */
  crowdedEdges: number
  /** Triangles whose winding was reversed. */
  turned: number
  /** Open, and so nearly flat that it encloses nothing. */
  sheet: boolean
}

/**
 * An open shell is a sheet if the sum of its area vectors exceeds this share of its area: 1 for a plane, 0.83 for a third
 * of a cylinder, 0.64 for half of one, 0.5 for half a sphere, 0 for a tube.
 */
const SHEET_FLATNESS = 0.75

export function findShells(positions: Float64Array, triangles: Uint32Array): Shell[] {
  const faces = triangles.length / 3
  const weld = firstAtSamePlace(positions)
  const edges = edgeTable(triangles, weld.length, weld)
  const { starts, corners } = cornersOfEdges(edges.edgeOfCorner, edges.edgeCount)
  const shellOf = new Int32Array(faces).fill(-1)
  const reversed = new Uint8Array(faces)
  const shells: Shell[] = []
  for (let seed = 0; seed < faces; seed++) {
    if (shellOf[seed] >= 0) continue
    const members = [seed]
    shellOf[seed] = shells.length
    for (const face of members) {
      for (let corner = 3 * face; corner < 3 * face + 3; corner++) {
        const edge = edges.edgeOfCorner[corner]
        // Where more than two triangles meet, parts touch: no neighbour there says which way to face.
        if (starts[edge + 1] - starts[edge] !== 2) continue
        for (let k = starts[edge]; k < starts[edge + 1]; k++) {
          const other = Math.trunc(corners[k] / 3)
          if (shellOf[other] >= 0) continue
          shellOf[other] = shells.length
          members.push(other)
          // Neighbours that face the same way run along their common edge in opposite directions.
          const same = weld[triangles[corner]] === weld[triangles[corners[k]]]
          reversed[other] = same ? 1 - reversed[face] : reversed[face]
        }
      }
    }
    shells.push(makeShell(positions, triangles, edges, members, reversed))
  }
  return shells
}

function cornersOfEdges(edgeOfCorner: Uint32Array, count: number): { starts: Uint32Array; corners: Uint32Array } {
  const starts = new Uint32Array(count + 1)
  for (const edge of edgeOfCorner) starts[edge + 1]++
  for (let edge = 0; edge < count; edge++) starts[edge + 1] += starts[edge]
  const next = starts.slice()
  const corners = new Uint32Array(edgeOfCorner.length)
  for (let corner = 0; corner < edgeOfCorner.length; corner++) corners[next[edgeOfCorner[corner]]++] = corner
  return { starts, corners }
}

function makeShell(
  p: Float64Array,
  triangles: Uint32Array,
  edges: EdgeTable,
  members: number[],
  reversed: Uint8Array,
): Shell {
  const meeting = new Map<number, number>()
  for (const face of members) {
    for (let corner = 3 * face; corner < 3 * face + 3; corner++) {
      const edge = edges.edgeOfCorner[corner]
      if (edges.vertices[2 * edge] !== edges.vertices[2 * edge + 1]) meeting.set(edge, (meeting.get(edge) ?? 0) + 1)
    }
  }
  const counts = [...meeting.values()]
  const openEdges = counts.filter((count) => count === 1).length
  const own = new Uint32Array(3 * members.length)
  const rim = [0, 0, 0]
  let rimCorners = 0
  members.forEach((face, i) => {
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[3 * face + k]
      own[3 * i + (reversed[face] === 1 ? 2 - k : k)] = vertex
      if (openEdges > 0 && meeting.get(edges.edgeOfCorner[3 * face + k]) !== 1) continue
      for (let axis = 0; axis < 3; axis++) rim[axis] += p[3 * vertex + axis]
      rimCorners++
    }
  })
  // Seen from the middle of its openings, an open shell encloses the cones over its triangles.
  const { area, flatness, volume } = measure(
    p,
    own,
    rim.map((sum) => sum / Math.max(rimCorners, 1)),
  )
  const turn = volume < 0
  if (turn) {
    for (let i = 0; i < own.length; i += 3) [own[i], own[i + 2]] = [own[i + 2], own[i]]
  }
  const flips = members.reduce((sum, face) => sum + reversed[face], 0)
  return {
    triangles: own,
    area,
    openEdges,
    crowdedEdges: counts.filter((count) => count > 2).length,
    turned: turn ? members.length - flips : flips,
    sheet: openEdges > 0 && flatness > SHEET_FLATNESS,
  }
}

/** Area, length of the sum of area vectors over area, and volume of the cones from `apex`. */
function measure(
  p: Float64Array,
  triangles: Uint32Array,
  apex: number[],
): { area: number; flatness: number; volume: number } {
  let area = 0
  let volume = 0
  const sum = [0, 0, 0]
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]]
    const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    area += Math.hypot(n[0], n[1], n[2]) / 2
    for (let axis = 0; axis < 3; axis++) {
      sum[axis] += n[axis] / 2
      volume += (n[axis] * (p[a + axis] - apex[axis])) / 6
    }
  }
  return { area, flatness: area > 0 ? Math.hypot(sum[0], sum[1], sum[2]) / area : 1, volume }
}
