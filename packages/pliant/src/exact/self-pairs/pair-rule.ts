/** Pairs of triangles that are left alone, such as a `NeighbourRule`. */
export interface PairRule {
  /** Part of each triangle. */
  readonly parts: ArrayLike<number>
  /** How many parts there are. */
  readonly partCount: number
  /** For each two parts whether all pairs between them are left alone: 1 at `a * partCount + b` if so, else 0. */
  readonly leavesParts: ArrayLike<number>
  /** Whether a pair of triangles, by their numbers, is left alone: asked only of pairs that meet. */
  leavesAlone(a: number, b: number): boolean
  /**
   * Of groups of triangles those between which all pairs are left alone, as far as that is easily told: one bit for each two
   * of them, that of `a` and `b` at `a * groups + b`. What is told of none may be left out.
   */
  leavesGroups?(groups: readonly ArrayLike<number>[]): Uint32Array
  /** Groups that are so large across are told well enough [m]. */
  readonly groupSize?: number
}
