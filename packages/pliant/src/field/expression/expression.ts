/**
 * Distances as expressions of a point's coordinates: what a field of them is compiled from (`tape.ts`). Plain immutable
 * values; one that is used twice is computed once. Builders take numbers as well, and leave out what does nothing
 * (x + 0, 1 x), so that shapes need not watch for it.
 */
import { shown } from '../../math/require.js'
import { OPERATIONS, type OperationName } from './operations.js'

/** A number that depends on where it is asked. */
export type Expression = Constant | Coordinate | Applied

/** The same number everywhere. */
export interface Constant {
  /** The number itself. */
  readonly value: number
}

/** x, y or z of the point. */
export interface Coordinate {
  /** 0 for x, 1 for y, 2 for z. */
  readonly axis: 0 | 1 | 2
}

/** An operation on other expressions. */
export interface Applied {
  /** Which operation. */
  readonly name: OperationName
  /** As many as it takes. */
  readonly inputs: readonly Expression[]
}

/** What builders take: an expression, or a number for the same everywhere. */
export type Term = Expression | number

/** Three terms: a point or a vector. */
export type Place = readonly [Term, Term, Term]

/** The point itself. */
export const POINT: readonly [Coordinate, Coordinate, Coordinate] = [{ axis: 0 }, { axis: 1 }, { axis: 2 }]

/** a + b + ... */
export function add(first: Term, ...others: Term[]): Expression {
  return others.reduce<Expression>((sum, each) => {
    if (constantOf(each) === 0) return sum
    return constantOf(sum) === 0 ? termOf(each) : apply('add', sum, each)
  }, termOf(first))
}

/** a - b */
export function sub(a: Term, b: Term): Expression {
  return constantOf(b) === 0 ? termOf(a) : apply('subtract', a, b)
}

/** a b */
export function mul(a: Term, b: Term): Expression {
  if (constantOf(a) === 1) return termOf(b)
  if (constantOf(b) === 1) return termOf(a)
  return constantOf(a) === 0 || constantOf(b) === 0 ? termOf(0) : apply('multiply', a, b)
}

/** a / b */
export function div(a: Term, b: Term): Expression {
  return constantOf(b) === 1 ? termOf(a) : apply('divide', a, b)
}

/** -a */
export function neg(a: Term): Expression {
  return apply('negate', a)
}

/** a without its sign. */
export function abs(a: Term): Expression {
  return apply('abs', a)
}

/** The least of some. */
export function min(first: Term, ...others: Term[]): Expression {
  return others.reduce<Expression>((least, each) => apply('min', least, each), termOf(first))
}

/** The largest of some. */
export function max(first: Term, ...others: Term[]): Expression {
  return others.reduce<Expression>((most, each) => apply('max', most, each), termOf(first))
}

/** a, but no less than low and no more than high. */
export function clamp(a: Term, low: Term, high: Term): Expression {
  return min(max(a, low), high)
}

/** Square root; 0 of what is negative. */
export function sqrt(a: Term): Expression {
  return apply('sqrt', a)
}

/** a a, whose bounds are tighter than those of a product. */
export function square(a: Term): Expression {
  return apply('square', a)
}

/** Length of a vector of two or three numbers. */
export function length(...components: readonly [Term, Term] | Place): Expression {
  return components.length === 2 ? apply('length2', ...components) : apply('length3', ...components)
}

/** Sine of an angle [rad]. */
export function sin(a: Term): Expression {
  return apply('sin', a)
}

/** Cosine of an angle [rad]. */
export function cos(a: Term): Expression {
  return apply('cos', a)
}

/** The nearest whole number. */
export function round(a: Term): Expression {
  return apply('round', a)
}

/** `inside` where `by` is 0 or less, else `outside`. A field stays continuous if the two agree where `by` is 0. */
export function select(by: Term, inside: Term, outside: Term): Expression {
  return apply('select', by, inside, outside)
}

/** a . b */
export function dot(a: Place, b: Place): Expression {
  return add(mul(a[0], b[0]), mul(a[1], b[1]), mul(a[2], b[2]))
}

/** @throws RangeError if a number is not finite, or something else was passed */
function termOf(term: Term): Expression {
  if (typeof term === 'object' && term !== null) return term
  if (typeof term === 'number' && Number.isFinite(term)) return { value: term }
  throw new RangeError(`expression: ${shown(term)} is no term; give an expression or a finite number.`)
}

function constantOf(term: Term): number | undefined {
  if (typeof term === 'number') return term
  return term && 'value' in term ? term.value : undefined
}

/** Constants of constants are computed at once. */
function apply(name: OperationName, ...terms: Term[]): Expression {
  const inputs = terms.map(termOf)
  const values = inputs.map(constantOf)
  if (values.some((value) => value === undefined)) return { name, inputs }
  const [a, b, c] = [0, 1, 2].map((k) => Float64Array.of(values[k] ?? 0))
  const out = new Float64Array(1)
  OPERATIONS[name].run(1, out, a, b, c)
  return termOf(out[0])
}
