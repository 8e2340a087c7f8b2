/**
 * What a dense network's outputs can be over a box of its inputs, by affine forms (algorithms.md 6.3; Sharp and Jacobson
 * 2022): a layer maps base, rows and errors by its weights; an activation by the line along it, and the strip around that
 * line is the error that is added, one per unit. Plain intervals grow by |W| from layer to layer, until they say nothing;
 * symbols remember where numbers came from, so that most of it cancels.
 *
 * It holds for the network in exact arithmetic. What single precision adds is whoever's who knows the backend
 * (bounded-network.ts).
 */
import { type DenseShape, denseWidths } from '../dense/dense-shape.js'
import type { Tensors } from '../network.js'
import { AffineForms } from './affine-forms.js'
import { EnclosingLine } from './enclosing-line.js'
import { multiplyRows } from './multiply-rows.js'

/**
 * Which errors become symbols: 'all', so that bounds are tightest; none but the inputs' own ('fixed'), which is cheapest;
 * or so many, the largest, the others being added up. 0 is plain interval arithmetic.
 */
export type Symbols = 'all' | 'fixed' | number

/** @throws RangeError if it is none */
export function requireSymbols(symbols: Symbols): Symbols {
  if (symbols === 'all' || symbols === 'fixed' || (Number.isInteger(symbols) && symbols >= 0)) return symbols
  throw new RangeError(`bounds: symbols is ${String(symbols)}; give 'all', 'fixed' or a whole number of at least 0.`)
}

/** Beyond it, single precision may overflow, and nothing is promised. */
const MOST = 1e30
/** Of numbers that go into a sum, what double precision may lose of them and of theirs. */
const DIGITS = 1e-12

interface Layer {
  inputs: number
  outputs: number
  /** [outputs, inputs]. */
  transposed: Float64Array
  bias: Float64Array
  activation: DenseShape['activation'] | DenseShape['output']
}

export class DenseBounds {
  readonly shape: DenseShape
  /** The inputs: to be filled before `forward`. */
  readonly inputs: AffineForms
  /** What `forward` found, before the output's activation; see `range`. */
  readonly outputs: AffineForms
  readonly #symbols: Symbols
  readonly #layers: Layer[]
  readonly #forms: AffineForms[]
  readonly #line = new EnclosingLine()
  readonly #radii: Float64Array
  readonly #alive: Int32Array
  #packedRows = new Float64Array(0)
  readonly #packedWeights: Float64Array
  #sizes = new Float64Array(0)

  /** @param tensors  'dense.{l}.weight' and 'dense.{l}.bias'; of the first, rows beyond the inputs are left out */
  constructor(shape: DenseShape, tensors: Tensors, symbols: Symbols = 'all') {
    this.shape = shape
    this.#symbols = requireSymbols(symbols)
    const widths = denseWidths(shape)
    const last = widths.length - 2
    this.#layers = widths.slice(1).map((outputs, l) => ({
      inputs: widths[l],
      outputs,
      transposed: new Float64Array(widths[l] * outputs),
      bias: new Float64Array(outputs),
      activation: l < last ? shape.activation : shape.output,
    }))
    this.#forms = widths.map((width) => new AffineForms(width))
    this.inputs = this.#forms[0]
    this.outputs = this.#forms[widths.length - 1]
    const widest = Math.max(...widths)
    this.#radii = new Float64Array(widest)
    this.#alive = new Int32Array(widest)
    this.#packedWeights = new Float64Array(Math.max(...this.#layers.map(({ transposed }) => transposed.length)))
    this.take(tensors)
  }

  /** Takes other weights: those of another pose. */
  take(tensors: Tensors): void {
    this.#layers.forEach(({ inputs, outputs, transposed, bias }, l) => {
      const weight = tensors.get(`dense.${l}.weight`)!
      for (let i = 0; i < inputs; i++) {
        for (let o = 0; o < outputs; o++) transposed[o * inputs + i] = weight[i * outputs + o]
      }
      bias.set(tensors.get(`dense.${l}.bias`)!)
    })
  }

  /**
   * Bounds over a box, turned or not: centre plus and minus each half edge.
   * @param centre     as many numbers as the network has inputs
   * @param halfEdges  rows of as many, `count` of them
   * @param out        receives lower and upper bound of each output
   * @returns false if nothing can be promised: numbers that are not finite, or too large for single precision
   */
  of(centre: ArrayLike<number>, halfEdges: ArrayLike<number>, count: number, out: Float64Array): boolean {
    const { inputs } = this
    inputs.reset(count)
    for (let i = 0; i < inputs.size; i++) inputs.base[i] = centre[i]
    for (let i = 0; i < count * inputs.size; i++) inputs.rows[i] = halfEdges[i]
    if (!this.forward()) return false
    for (let o = 0; o < this.shape.outputs; o++) this.range(o, out, 2 * o)
    return true
  }

  /** From `inputs` to `outputs`. @returns false if nothing can be promised */
  forward(): boolean {
    const last = this.#layers.length - 1
    for (let l = 0; l <= last; l++) {
      this.#multiply(this.#layers[l], this.#forms[l], this.#forms[l + 1])
      if (!(l < last ? this.#activate(this.#layers[l], this.#forms[l + 1]) : this.#isSane(this.#forms[l + 1]))) {
        return false
      }
    }
    return true
  }

  /** What an output can be: to out[at] and out[at + 1]. After `forward`. */
  range(output: number, out: Float64Array, at: number): void {
    const radius = this.outputs.radius(output)
    const base = this.outputs.base[output]
    this.#line.level(this.shape.output, base - radius, base + radius)
    out[at] = this.#line.shift - this.#line.spread
    out[at + 1] = this.#line.shift + this.#line.spread
  }

  #isSane(forms: AffineForms): boolean {
    forms.radii(this.#radii)
    for (let i = 0; i < forms.size; i++) {
      if (!(Math.abs(forms.base[i]) + this.#radii[i] < MOST)) return false
    }
    return true
  }

  /** to = from * weights + bias; fresh errors of `from` become symbols first, as far as they may. */
  #multiply(layer: Layer, from: AffineForms, to: AffineForms): void {
    const { inputs, outputs, transposed, bias } = layer
    const kept = this.#keep(from)
    to.reset(0)
    to.reserve(from.count + kept)
    let hasError = false
    for (let i = 0; i < inputs; i++) if (from.error[i] !== 0) hasError = true
    for (let o = 0; o < outputs; o++) {
      let [sum, size, error] = [bias[o], Math.abs(bias[o]), 0]
      for (let i = 0, at = o * inputs; i < inputs; i++, at++) {
        const product = from.base[i] * transposed[at]
        sum += product
        size += Math.abs(product)
      }
      if (hasError) {
        for (let i = 0, at = o * inputs; i < inputs; i++, at++) error += from.error[i] * Math.abs(transposed[at])
      }
      to.base[o] = sum
      to.error[o] = error + DIGITS * size
    }
    this.#multiplySymbols(layer, from, to)
    to.count = from.count
    for (let i = 0; i < inputs; i++) {
      const fresh = from.fresh[i]
      if (fresh === 0) continue
      const row = to.count * outputs
      for (let o = 0, at = i; o < outputs; o++, at += inputs) to.rows[row + o] = fresh * transposed[at]
      to.count++
    }
  }

  /** Without the columns that are zero in all rows, as those of units that are off. */
  #multiplySymbols({ inputs, outputs, transposed }: Layer, from: AffineForms, to: AffineForms): void {
    const { rows, count } = from
    if (count === 0) return
    const alive = this.#alive
    let living = 0
    for (let i = 0; i < inputs; i++) {
      let isAlive = false
      for (let r = 0; r < count && !isAlive; r++) isAlive = rows[r * inputs + i] !== 0
      if (isAlive) alive[living++] = i
    }
    if (living === inputs) {
      multiplyRows(rows, count, inputs, transposed, outputs, to.rows)
      return
    }
    if (this.#packedRows.length < count * living) this.#packedRows = new Float64Array(2 * count * living)
    const [packed, weights] = [this.#packedRows, this.#packedWeights]
    for (let r = 0, to = 0; r < count; r++) {
      for (let k = 0; k < living; k++) packed[to++] = rows[r * inputs + alive[k]]
    }
    for (let o = 0, to = 0; o < outputs; o++) {
      for (let k = 0; k < living; k++) weights[to++] = transposed[o * inputs + alive[k]]
    }
    multiplyRows(packed, count, living, weights, outputs, to.rows)
  }

  /** Leaves as `fresh` what is to become a symbol; the rest goes to the errors. @returns how many that are */
  #keep(forms: AffineForms): number {
    const { size, fresh, error } = forms
    if (this.#symbols === 'fixed') {
      for (let i = 0; i < size; i++) error[i] += fresh[i]
      fresh.fill(0)
      return 0
    }
    if (this.#symbols !== 'all') this.#keepLargest(forms, this.#symbols)
    let kept = 0
    for (let i = 0; i < size; i++) if (fresh[i] !== 0) kept++
    return kept
  }

  #keepLargest(forms: AffineForms, most: number): void {
    const { size, fresh, error, rows, count } = forms
    if (this.#sizes.length < count + size) this.#sizes = new Float64Array(2 * (count + size))
    const sizes = this.#sizes.subarray(0, count + size)
    for (let r = 0; r < count; r++) {
      let sum = 0
      for (let i = 0; i < size; i++) sum += Math.abs(rows[r * size + i])
      sizes[r] = sum
    }
    sizes.set(fresh, count)
    if (count + size <= most) return
    const least = most === 0 ? Infinity : Float64Array.from(sizes).sort()[count + size - most]
    // As large as the last that is kept: kept while there is room, in the order of rows, then of fresh errors.
    let equals = most
    for (const one of sizes) if (one > least) equals--
    const isKept = (one: number): boolean => one > least || (one === least && equals-- > 0)
    let to = 0
    for (let r = 0; r < count; r++) {
      if (isKept(sizes[r])) {
        if (to !== r) rows.copyWithin(to * size, r * size, (r + 1) * size)
        to++
      } else for (let i = 0; i < size; i++) error[i] += Math.abs(rows[r * size + i])
    }
    forms.count = to
    for (let i = 0; i < size; i++) {
      if (isKept(sizes[count + i])) continue
      error[i] += fresh[i]
      fresh[i] = 0
    }
  }

  /** @returns false if nothing can be promised */
  #activate({ activation, outputs }: Layer, forms: AffineForms): boolean {
    const { base, rows, count, error, fresh } = forms
    const radii = this.#radii
    const line = this.#line
    forms.radii(radii)
    for (let i = 0; i < outputs; i++) {
      const radius = radii[i]
      if (!(Math.abs(base[i]) + radius < MOST)) return false
      // Of a number that depends on no symbol, the line's slope buys nothing.
      if (count === 0) line.level(activation, base[i] - radius, base[i] + radius)
      else line.over(activation, base[i] - radius, base[i] + radius)
      const { slope, shift, spread } = line
      base[i] = slope * base[i] + shift
      error[i] *= Math.abs(slope)
      fresh[i] = spread
      // Kept by column, so that rows are gone through once.
      radii[i] = slope
    }
    for (let r = 0, at = 0; r < count; r++) for (let i = 0; i < outputs; i++, at++) rows[at] *= radii[i]
    return true
  }
}
