/**
 * Dimensions of tensors: a number, or a name that stands for a count known only when the graph runs (`'n'` points).
 * Sizes derived from a name stay exact: a dimension is a monomial such as `8*n` or `n/16`, kept in one spelling, so
 * that equal shapes are equal strings.
 */
export type Dimension = number | string
export type Shape = readonly Dimension[]

interface Monomial {
  numerator: number
  denominator: number
  /** Symbol to power, never 0. */
  powers: Map<string, number>
}

const SYMBOL = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * @returns the dimension in its one spelling
 * @throws RangeError if it is neither a whole number >= 0 nor a product of names and whole numbers
 */
export function parseDimension(dimension: Dimension): Dimension {
  if (typeof dimension === 'number') {
    if (!Number.isSafeInteger(dimension) || dimension < 0) {
      throw new RangeError(`shape: dimension ${dimension}; use a whole number >= 0 or a name such as 'n'.`)
    }
    return dimension
  }
  return write(read(dimension))
}

export function multiplyDimensions(a: Dimension, b: Dimension): Dimension {
  if (typeof a === 'number' && typeof b === 'number') return a * b
  return write(combine(read(a), read(b), 1))
}

/** @throws RangeError if both are numbers and b does not divide a */
export function divideDimensions(a: Dimension, b: Dimension): Dimension {
  if (a === b) return 1
  if (typeof a === 'number' && typeof b === 'number' && (b === 0 || a % b !== 0)) {
    throw new RangeError(`shape: ${a} is not a multiple of ${b}; check the sizes.`)
  }
  return write(combine(read(a), read(b), -1))
}

/** Number of elements. */
export function shapeSize(shape: Shape): Dimension {
  return shape.reduce<Dimension>(multiplyDimensions, 1)
}

export function shapesEqual(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dimension, axis) => dimension === b[axis])
}

/** True if no dimension is left open. */
export function isStatic(shape: Shape): shape is readonly number[] {
  return shape.every((dimension) => typeof dimension === 'number')
}

export function formatShape(shape: Shape): string {
  return `[${shape.join(', ')}]`
}

/** Numbers and names whose product the dimension is: value = numerator * product(symbol^power) / denominator. */
export function dimensionFactors(dimension: Dimension): Readonly<Monomial> {
  return read(dimension)
}

function read(dimension: Dimension): Monomial {
  if (typeof dimension === 'number') return { numerator: dimension, denominator: 1, powers: new Map() }
  const result: Monomial = { numerator: 1, denominator: 1, powers: new Map() }
  // 'a*b/c' splits into a, *b, /c: each factor carries the sign of its power.
  for (const part of dimension.replace(/\s+/g, '').split(/(?=[*/])/)) {
    const power = part.startsWith('/') ? -1 : 1
    const factor = part.replace(/^[*/]/, '')
    if (/^[0-9]+$/.test(factor)) {
      if (power > 0) result.numerator *= Number(factor)
      else result.denominator *= Number(factor)
    } else if (SYMBOL.test(factor)) {
      result.powers.set(factor, (result.powers.get(factor) ?? 0) + power)
    } else {
      throw new RangeError(`shape: dimension '${dimension}'; use a name such as 'n', or a product such as '8*n'.`)
    }
  }
  return result
}

function combine(a: Monomial, b: Monomial, sign: 1 | -1): Monomial {
  const powers = new Map(a.powers)
  for (const [symbol, power] of b.powers) powers.set(symbol, (powers.get(symbol) ?? 0) + sign * power)
  return sign > 0
    ? { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator, powers }
    : { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator, powers }
}

function write({ numerator, denominator, powers }: Monomial): Dimension {
  const divisor = greatestCommonDivisor(numerator, denominator)
  const above: string[] = []
  const below: string[] = []
  for (const symbol of [...powers.keys()].sort()) {
    const power = powers.get(symbol)!
    for (let i = 0; i < Math.abs(power); i++) (power > 0 ? above : below).push(symbol)
  }
  const top = numerator / divisor
  const bottom = denominator / divisor
  if (above.length === 0 && below.length === 0 && bottom === 1) return top
  if (top === 0) return 0
  if (top !== 1 || above.length === 0) above.unshift(String(top))
  if (bottom !== 1) below.unshift(String(bottom))
  return [above.join('*'), ...below].join('/')
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a === 0 ? 1 : a
}
