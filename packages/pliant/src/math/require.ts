/**
 * Checks of what callers pass, the same for every room: another type, too few values or one that is not finite ends in
 * one line that names it, before anything has changed.
 */
import type { Floats } from './floats.js'

/**
 * The one check of every field's and network's query.
 * @throws RangeError if an array is none of floats or too short, or the count is no whole number
 */
export function requireQuery(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
  requirePoints(points, count)
  requireRoom('values', distances, count, count)
  if (gradients !== undefined) requireRoom('gradient values', gradients, 3 * count, count)
}

export function requirePoints(points: Floats, count: number): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`query: ${shown(count)} points asked; pass a whole number.`)
  }
  if (!isFloats(points) || points.length < 3 * count) {
    const held = isFloats(points) ? `the array holds ${points.length / 3}` : `points is ${shown(points)}`
    throw new RangeError(`query: ${count} points asked, ${held}; pass xyz triples in a ${FLOATS}.`)
  }
}

/** Room for what a query writes of a kind. @throws RangeError if there is too little, or none */
export function requireRoom(of: string, out: Floats, needed: number, count: number): void {
  if (isFloats(out) && out.length >= needed) return
  const room = isFloats(out) ? `room for ${out.length} ${of}` : `no room for ${of} but ${shown(out)}`
  throw new RangeError(`query: ${room}; ${count} points need ${needed} in a ${FLOATS}.`)
}

/** The same for numbers of triangles. */
export function requireIdRoom(ids: Uint32Array, count: number): void {
  if (ids instanceof Uint32Array && ids.length >= count) return
  throw new RangeError(`query: triangleIds is ${shown(ids)}; ${count} points need ${count} in a Uint32Array.`)
}

/**
 * Floats, as many as needed and all of them finite: positions of nodes, matrices of joints.
 * @param what   who asks, as `elastic field`
 * @param item   what `size` values belong to, as `node`
 * @throws RangeError naming the first item that is not finite
 */
export function requireItems(what: string, values: Floats, item: string, count: number, size: number): void {
  requireCount(what, values, item, count, size)
  requireFinite(what, values, item, size)
}

/** Their type and number alone. */
export function requireCount(what: string, values: Floats, item: string, count: number, size: number): void {
  if (!isFloats(values)) {
    throw new RangeError(`${what}: ${shown(values)} for ${count} ${plural(item)}; pass a ${FLOATS}.`)
  }
  if (values.length !== count * size) {
    throw new RangeError(
      `${what}: ${values.length} values for ${count} ${plural(item)}; pass ${count * size}, ${size} for each.`,
    )
  }
}

/** A state of a field names what it is made of. @throws RangeError if it has none of these keys */
export function requireState(what: string, state: object, ...keys: string[]): void {
  if (typeof state === 'object' && state !== null && keys.some((key) => key in state)) return
  throw new RangeError(`${what}: the state is ${shown(state)}; pass { ${keys.join(' } or { ')} }.`)
}

/** As many finite numbers as needed, in whatever kind of array. @throws RangeError naming the first that is none */
export function requireNumbers(what: string, values: ArrayLike<number>, item: string, count: number): void {
  if (typeof values !== 'object' || values?.length !== count) {
    throw new RangeError(`${what}: ${shown(values)} for ${count} ${plural(item)}; pass one number each.`)
  }
  requireFinite(what, values, item)
}

/** @throws RangeError naming the first item, of `size` values each, that is not finite */
export function requireFinite(what: string, values: ArrayLike<number>, item: string, size = 1): void {
  if (areFinite(values)) return
  const i = Array.prototype.findIndex.call(values, (value) => !Number.isFinite(value))
  throw new RangeError(`${what}: ${item} ${Math.trunc(i / size)} is ${shown(values[i])}; pass finite numbers.`)
}

/** Whether none is NaN or infinite. */
export function areFinite(values: ArrayLike<number>): boolean {
  if (values instanceof Float64Array || values instanceof Float32Array) return areFiniteFloats(values)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += 0 * values[i]
  return sum === 0
}

/**
 * No branch per number: zero times a finite one is zero, times any other NaN. Four sums, as none waits for another. Apart from
 * other arrays, as a loop over all kinds is compiled for none: 4.3 ns a number instead of 1.2.
 */
function areFiniteFloats(values: Floats): boolean {
  const { length } = values
  let [a, b, c, d] = [0, 0, 0, 0]
  let i = 0
  for (; i + 4 <= length; i += 4) {
    a += 0 * values[i]
    b += 0 * values[i + 1]
    c += 0 * values[i + 2]
    d += 0 * values[i + 3]
  }
  for (; i < length; i++) a += 0 * values[i]
  return a + b + c + d === 0
}

/** Numbers of nodes or vertices, of which there are `count`. @throws RangeError naming the first that is none */
export function requireIndices(what: string, indices: ArrayLike<number>, item: string, count: number): void {
  if (typeof indices !== 'object' || !Number.isInteger(indices?.length)) {
    throw new RangeError(`${what}: the ${item} numbers are ${shown(indices)}; pass an array.`)
  }
  for (let i = 0; i < indices.length; i++) {
    const index: unknown = indices[i]
    if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < count) continue
    throw new RangeError(`${what}: ${item} ${shown(index)}; there are 0 to ${count - 1}.`)
  }
}

/** A mesh of plain JavaScript has plain arrays, in which the simulation would go on writing. */
export function requireMeshArrays(what: string, positions: unknown, corners: unknown): void {
  if (!isFloats(positions)) throw new RangeError(`${what}: positions is ${shown(positions)}; pass a ${FLOATS}.`)
  if (!(corners instanceof Uint32Array)) {
    throw new RangeError(`${what}: its corners are ${shown(corners)}; pass vertex numbers in a Uint32Array.`)
  }
}

/** How long a step is to last [s]. @throws RangeError if it is no number */
export function requireDuration(what: string, frame: number): void {
  if (typeof frame !== 'number' || Number.isNaN(frame)) {
    throw new RangeError(`${what}: the frame lasts ${shown(frame)}; pass seconds.`)
  }
}

const FLOATS = 'Float32Array or Float64Array'

/** Also arrays of another window or realm, which are instances of that one's classes. */
export function isFloats(value: unknown): value is Floats {
  if (value instanceof Float64Array || value instanceof Float32Array) return true
  const kind = ArrayBuffer.isView(value) ? Object.prototype.toString.call(value) : ''
  return kind === '[object Float64Array]' || kind === '[object Float32Array]'
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const { length } = value as { length?: unknown }
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return typeof length === 'number' ? `${kind} of ${length}` : kind
}

function plural(item: string): string {
  return item.endsWith('x') ? `${item.slice(0, -2)}ices` : `${item}s`
}
