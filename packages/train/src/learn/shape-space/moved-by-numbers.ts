/**
 * What an error of features does to vertices: the inverse, linearised about the mean of the shapes. Level 2 is measured by
 * features and by these, as an error of a shoulder's turn moves the hand and one of a finger's does not.
 */

import type { TriangleMesh } from 'pliant'
import { AcapInverse } from 'pliant/unstable'
import type { ShapeNumbers } from './shape-numbers.js'

/** Of central differences, in numbers. */
const STEP = 1e-3

export class MovedByNumbers {
  private readonly inverse: AcapInverse
  private readonly features: Float64Array
  private readonly ahead: Float64Array
  private readonly behind: Float64Array

  constructor(
    reference: TriangleMesh,
    private readonly numbers: Pick<ShapeNumbers, 'mean' | 'scale'>,
    fitWeight: number,
  ) {
    this.inverse = new AcapInverse(reference, { fitWeight })
    this.features = new Float64Array(this.inverse.size)
    this.ahead = new Float64Array(3 * this.inverse.vertexCount)
    this.behind = this.ahead.slice()
  }

  /** @returns displacements [m] of all vertices by a row of numbers, to first order */
  displacements(row: ArrayLike<number>): Float32Array {
    this.positions(row, STEP, this.ahead)
    this.positions(row, -STEP, this.behind)
    return Float32Array.from(this.ahead, (value, i) => (value - this.behind[i]) / (2 * STEP))
  }

  private positions(row: ArrayLike<number>, amount: number, out: Float64Array): void {
    const { mean, scale } = this.numbers
    for (let i = 0; i < mean.length; i++) this.features[i] = mean[i] + scale * amount * row[i]
    this.inverse.positions(this.features, out)
  }
}
