/**
 * What is left of one lattice tetrahedron inside the surface, as tetrahedra (Labelle and Shewchuk 2007, figure 3). Where
 * a face is cut to a quadrilateral, both neighbours must choose the same diagonal: it is told from the face alone.
 */

/** How the parts of a lattice tetrahedron are named. */
export interface CutLattice {
  /** -1 inside, 0 on the surface, 1 outside. */
  side(node: number): number
  /** Whether two nodes that share an edge share a long one. */
  isLong(a: number, b: number): boolean
  /** Whether an even number of the coordinates of `a` are larger than those of `b`. */
  isEven(a: number, b: number): boolean
  /** The output's number of a lattice node. */
  corner(node: number): number
  /** The output's number of the point where the surface cuts the edge from an inside to an outside node. */
  cut(inside: number, outside: number): number
  /** Receives a tetrahedron of output numbers, in any order. */
  emit(a: number, b: number, c: number, d: number): void
}

/** @param tet four lattice nodes */
export function stuffTet(lattice: CutLattice, tet: readonly number[]): void {
  const inside = tet.filter((node) => lattice.side(node) < 0)
  const zero = tet.filter((node) => lattice.side(node) === 0)
  const outside = tet.filter((node) => lattice.side(node) > 0)
  const { cut, corner } = bound(lattice)
  if (inside.length === 0) return
  if (inside.length === 1 || outside.length === 0) {
    const corners = [...inside.map(corner), ...zero.map(corner)]
    for (const node of outside) corners.push(cut(inside[0], node))
    lattice.emit(corners[0], corners[1], corners[2], corners[3])
  } else if (inside.length === 3) {
    const [d] = outside
    const before = [
      diagonalFrom(lattice, inside[0], inside[1], d),
      diagonalFrom(lattice, inside[1], inside[2], d),
      diagonalFrom(lattice, inside[2], inside[0], d),
    ]
    emitPrism(
      lattice,
      inside.map(corner),
      inside.map((node) => cut(node, d)),
      before,
    )
  } else if (zero.length === 1) {
    emitPyramid(lattice, inside, outside[0], zero[0])
  } else {
    const [a, b] = inside
    const [c, d] = outside
    // The third quadrilateral lies in the surface and is free: it is cut so that the first two can be.
    const first = diagonalFrom(lattice, a, b, c)
    const second = diagonalFrom(lattice, a, b, d)
    emitPrism(
      lattice,
      [corner(a), cut(a, c), cut(a, d)],
      [corner(b), cut(b, c), cut(b, d)],
      [first, second && !first, !second],
    )
  }
}

function bound(lattice: CutLattice): Pick<CutLattice, 'cut' | 'corner'> {
  return { cut: lattice.cut.bind(lattice), corner: lattice.corner.bind(lattice) }
}

/**
 * Of the quadrilateral a, b, cut of b, cut of a in the face of a, b and an outside node: whether its diagonal joins a
 * to the cut of b rather than b to the cut of a. It ends at the cut of the long edge; if both are short, the parity rule
 * decides, by which the two such faces of a tetrahedron are cut in opposite ways.
 */
function diagonalFrom(lattice: CutLattice, a: number, b: number, outside: number): boolean {
  const longA = lattice.isLong(a, outside)
  if (longA !== lattice.isLong(b, outside)) return !longA
  return lattice.isEven(a, outside)
}

function emitPyramid(lattice: CutLattice, [a, b]: readonly number[], outside: number, apex: number): void {
  const [p, q, z] = [lattice.corner(a), lattice.corner(b), lattice.corner(apex)]
  const [cutA, cutB] = [lattice.cut(a, outside), lattice.cut(b, outside)]
  if (diagonalFrom(lattice, a, b, outside)) {
    lattice.emit(p, q, cutB, z)
    lattice.emit(p, cutB, cutA, z)
  } else {
    lattice.emit(p, q, cutA, z)
    lattice.emit(q, cutB, cutA, z)
  }
}

/**
 * A prism with ends p and q as three tetrahedra.
 * @param before  for the pairs 01, 12, 20: whether the side's diagonal goes from p of the first to q of the second;
 *                not all the same, as no three tetrahedra fit that
 */
function emitPrism(lattice: CutLattice, p: number[], q: number[], before: readonly boolean[]): void {
  // In an order in which each comes before the next: as many points as it is before others.
  const wins = [
    Number(before[0]) + Number(!before[2]),
    Number(before[1]) + Number(!before[0]),
    Number(before[2]) + Number(!before[1]),
  ]
  const [i, j, k] = [wins.indexOf(2), wins.indexOf(1), wins.indexOf(0)]
  lattice.emit(p[i], p[j], p[k], q[k])
  lattice.emit(p[i], p[j], q[j], q[k])
  lattice.emit(p[i], q[i], q[j], q[k])
}
