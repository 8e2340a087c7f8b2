/** The code of a posed field, checked when it is set. */
import { shown } from '../math/require.js'

export class CheckedCode {
  readonly values: Float64Array

  /** @param name of the object, for messages */
  constructor(
    private readonly name: string,
    size: number,
  ) {
    this.values = new Float64Array(size)
  }

  /** @throws RangeError if the code has another length or is not finite */
  set(code: ArrayLike<number>): void {
    const { values } = this
    if (typeof code !== 'object' || code?.length !== values.length) {
      const given = typeof code === 'object' && code ? `has ${code.length} values` : `is ${shown(code)}`
      throw new RangeError(
        `update: code ${given}, ${this.name} needs ${values.length}; pass the code that 'pliant inspect' describes.`,
      )
    }
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(code[i]))
        throw new RangeError(`update: code[${i}] is ${shown(code[i])}; pass finite numbers.`)
    }
    for (let i = 0; i < values.length; i++) values[i] = code[i]
  }
}
