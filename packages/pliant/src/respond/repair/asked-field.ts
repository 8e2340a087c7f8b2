/**
 * A field over codes, or one with several distances per code, as both ways of repair ask it: each distance a constraint,
 * margin - f <= 0, or all of them one field, the least. Counts how often it was asked.
 */
import type { ConfigurationField } from '../../field/configuration-field.js'
import type { Floats } from '../../math/floats.js'
import type { Constraints } from './augmented-lagrangian.js'

/** Several signed distances of one code, such as one per domain of a body: free where none is negative. */
export interface DomainField {
  /** Length of a code. */
  readonly codeSize: number
  /** How many distances a code has. */
  readonly domainCount: number
  /**
   * All distances of one code, with their gradients.
   * @param distances  receives one per domain, in the unit of the code, negative where it touches
   * @param gradients  receives their gradients by the code, one after the other
   */
  queryDomains(code: Float64Array, distances: Float64Array, gradients: Float64Array): void
}

export class AskedField implements ConfigurationField, Constraints {
  readonly codeSize: number
  readonly count: number
  /** What constraints keep every distance above. */
  margin = 0
  /** Codes asked. */
  evaluations = 0
  readonly #code: Float64Array
  readonly #distances: Float64Array
  readonly #gradients: Float64Array

  constructor(readonly field: ConfigurationField | DomainField) {
    this.codeSize = field.codeSize
    this.count = 'queryDomains' in field ? field.domainCount : 1
    this.#code = new Float64Array(this.codeSize)
    this.#distances = new Float64Array(this.count)
    this.#gradients = new Float64Array(this.count * this.codeSize)
  }

  evaluate(code: Float64Array, values: Float64Array, gradients: Float64Array): void {
    this.#ask(code, values, gradients)
    for (let i = 0; i < values.length; i++) values[i] = this.margin - values[i]
    for (let i = 0; i < gradients.length; i++) gradients[i] = -gradients[i]
  }

  query(codes: Floats, count: number, distances: Floats, gradients?: Floats): void {
    const { codeSize } = this
    for (let row = 0; row < count; row++) {
      for (let k = 0; k < codeSize; k++) this.#code[k] = codes[row * codeSize + k]
      this.#ask(this.#code, this.#distances, this.#gradients)
      let least = 0
      for (let i = 1; i < this.count; i++) if (!(this.#distances[i] >= this.#distances[least])) least = i
      distances[row] = this.#distances[least]
      if (!gradients) continue
      for (let k = 0; k < codeSize; k++) gradients[row * codeSize + k] = this.#gradients[least * codeSize + k]
    }
  }

  #ask(code: Float64Array, distances: Float64Array, gradients: Float64Array): void {
    this.evaluations++
    if ('queryDomains' in this.field) this.field.queryDomains(code, distances, gradients)
    else this.field.query(code, 1, distances, gradients)
  }
}
