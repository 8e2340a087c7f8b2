/** Elasticity of a reduced body beyond one linear spring per mode; `StvkModes` is one. */

/** Elasticity of a code beyond one linear spring per mode: an energy, and a force that keeps it from step to step. */
export interface ReducedElasticity {
  /** Length of a code. */
  readonly codeSize: number
  /** Energy [J] of a code. */
  energy(code: ArrayLike<number>): number
  /** Mean force against the way from `code` to `next`, which does exactly the work that the energy changes by [J/unit]. */
  meanForce(code: Float64Array, next: Float64Array, out: Float64Array): void
  /** Twice how that force changes with `next` [J/unit^2], codeSize x codeSize, row by row. */
  stiffness(code: Float64Array, next: Float64Array, out: Float64Array, kind: StiffnessKind): void
}

/** The derivative itself; one that is symmetric; one without what stress adds, which is positive, too. */
export type StiffnessKind = 'exact' | 'symmetric' | 'positive'
