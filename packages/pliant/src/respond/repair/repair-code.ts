/**
 * The nearest code whose shape does not touch itself: what the gradient of a field over codes is good for (Cai et al.,
 * section 5, use it to push; here it leads all the way out). Newton steps along the gradient to f = margin; where an exact
 * test still finds contact, further, then back by bisection; then along f = const towards where the code came from, as
 * long as that is free. Where the gradient leads nowhere, the way to rest is taken, which is free in any sound model.
 */
import type { ConfigurationField, ExactTest } from '../../field/configuration-field.js'
import type { Floats } from '../../math/floats.js'
import { isFloats, requireNumbers, shown } from '../../math/require.js'
import { COUNT, NOT_NEGATIVE, type Rules, settingsOf } from '../../math/settings.js'
import { type CodeBox, CodeSearch } from './code-search.js'

/** How a code is repaired. */
export interface RepairOptions {
  /** Distance from self-contact that a repaired code keeps by the field, in the unit of the code, zero or more. */
  margin?: number
  /** Exact tests that one code may cost, about. */
  tests?: number
  /** Codes stay within; left out, the box that the field was trained in, if it knows one. */
  box?: CodeBox
  /** A code that is free, to go towards where the field knows no way; left out, the rest shape: zeros. */
  home?: ArrayLike<number>
}
/** A margin as reduced bodies keep it, and tests enough to come within a hundredth of the nearest code. */
export const REPAIR_DEFAULTS = { margin: 0.01, tests: 60 } as const

/** What became of a code. */
export interface RepairReport {
  /** Whether the result is free: by the exact test, or without one as far as the field can tell, with the margin. */
  free: boolean
  /** Whether it was so from the start; only a way into the box, if any, was then gone. */
  wasFree: boolean
  /** Whether the code was outside the box; it was put onto it first. */
  clamped: boolean
  /** Way from the code as it was given to the result, in the unit of the code. */
  moved: number
  /** Exact tests asked. */
  tests: number
}

const RULES: Rules<{ margin: number; tests: number }> = { margin: NOT_NEGATIVE, tests: COUNT }

/** How much further each try goes [unit of the code]: 0.01, 0.03, 0.07 ... 0.63 beyond the margin. */
const FURTHER = 0.01
const TRIES = 7

/** Halvings of a way back: to a thousandth of it. */
const HALVINGS = 10

/** Rounds of sliding and going back, and slides in each. */
const ROUNDS = 3
const SLIDES = 12
/** Part of the way along the field's level that is too short to go on [of the way back to the code]. */
const SHORT = 0.02

/**
 * Moves a code to the nearest free one that can be found. A code that is free already stays as it is. One outside the box
 * is put onto it first, and the report says so. If no free code is found, the result is the code as given, in its box.
 * @param field    tells the way; a `SelfContactField` brings its box
 * @param exact    decides what is free, such as `exactSelfContact` of pliant/exact; undefined to believe the field
 * @param code     as many numbers as the field's codes have, finite
 * @param out      receives the result; may be the code itself. What is tested is what it can hold: of a Float32Array
 *                 the rounded code
 * @throws RangeError if a length or an option is wrong, or the code is not finite
 */
export function repairCode(
  field: ConfigurationField & { readonly bounds?: CodeBox },
  exact: ExactTest | undefined,
  code: ArrayLike<number>,
  options: RepairOptions,
  out: Floats,
): RepairReport {
  const { box = field.bounds, home, ...given } = options
  const { margin, tests } = settingsOf(
    'repair',
    given,
    { ...REPAIR_DEFAULTS } as { margin: number; tests: number },
    RULES,
  )
  requireNumbers('repair', code, 'code value', field.codeSize)
  if (!isFloats(out) || out.length !== field.codeSize) {
    throw new RangeError(`repair: room for ${shown(out)}; pass a Float32Array or Float64Array of ${field.codeSize}.`)
  }
  const asGiven = Float64Array.from(code)
  const search = new CodeSearch(field, exact, box, tests)
  search.floor = margin
  const start = out.slice()
  start.set(asGiven)
  const clamped = search.clamp(start)
  const wasFree = exact ? !search.touches(start) : search.measure(start) >= margin
  const found = wasFree ? start : findFree(search, start, margin, home)
  out.set(found ?? start)
  return { free: found !== undefined, wasFree, clamped, moved: distanceBetween(asGiven, out), tests: search.tests }
}

function findFree(
  search: CodeSearch,
  start: Floats,
  margin: number,
  home: ArrayLike<number> | undefined,
): Floats | undefined {
  const found = pushOut(search, start, margin) ?? goHome(search, start, home)
  if (!found) return undefined
  // The way home may end nearer to contact than the margin, which is then all there is.
  search.floor = Math.min(margin, search.measure(found))
  comeBack(search, start, found)
  for (let round = 0; round < ROUNDS && slide(search, start, found); round++) comeBack(search, start, found)
  return found
}

/** Along the gradient to the margin, and on until the exact test agrees. */
function pushOut(search: CodeSearch, start: Floats, margin: number): Floats | undefined {
  const code = start.slice()
  for (let k = 0; k < TRIES && search.hasTestsLeft; k++) {
    if (!search.climb(code, margin + FURTHER * (2 ** k - 1))) return undefined
    if (!search.touches(code)) return code
  }
  return undefined
}

function goHome(search: CodeSearch, start: Floats, home: ArrayLike<number> | undefined): Floats | undefined {
  const code = start.slice()
  if (home) requireNumbers('repair', home, 'home value', code.length)
  for (let k = 0; k < code.length; k++) code[k] = home ? home[k] : 0
  search.clamp(code)
  if (search.exact ? search.touches(code) : !(search.measure(code) >= search.floor)) return undefined
  return code
}

/** From a free code back towards the start, to the last free one on the straight way. @param found is moved */
function comeBack(search: CodeSearch, start: Floats, found: Floats): void {
  const end = found.slice()
  const trial = found.slice()
  let [blocked, free] = [0, 1]
  for (let halving = 0; halving < HALVINGS && search.hasTestsLeft; halving++) {
    const middle = (blocked + free) / 2
    for (let k = 0; k < trial.length; k++) trial[k] = start[k] + middle * (end[k] - start[k])
    if (search.isFree(trial)) {
      free = middle
      found.set(trial)
    } else blocked = middle
  }
}

/**
 * Along the field's level towards the start: the way straight out of contact is the shortest one only where the boundary
 * is flat.
 * @param found is moved
 * @returns whether it went anywhere
 */
function slide(search: CodeSearch, start: Floats, found: Floats): boolean {
  const trial = found.slice()
  let hasMoved = false
  for (let k = 0, share = 1; k < SLIDES && share > 1 / 16 && search.hasTestsLeft; k++) {
    const level = search.measure(found)
    const away = distanceBetween(start, found)
    if (!(writeAlongLevel(search.gradient, start, found, share, trial) > SHORT * away)) break
    search.clamp(trial)
    const isNearer = search.climb(trial, level) && distanceBetween(start, trial) < (1 - SHORT / 10) * away
    if (isNearer && search.isFree(trial)) {
      found.set(trial)
      hasMoved = true
      share = Math.min(1, 2 * share)
    } else share /= 2
  }
  return hasMoved
}

/** A share of the way to the start without its part along the gradient. @returns length of the whole of that way */
function writeAlongLevel(gradient: Float64Array, start: Floats, found: Floats, share: number, out: Floats): number {
  let [along, square] = [0, 0]
  for (let k = 0; k < out.length; k++) {
    along += gradient[k] * (start[k] - found[k])
    square += gradient[k] * gradient[k]
  }
  const part = square > 0 ? along / square : 0
  let length = 0
  for (let k = 0; k < out.length; k++) {
    const way = start[k] - found[k] - part * gradient[k]
    length += way * way
    out[k] = found[k] + share * way
  }
  return Math.sqrt(length)
}

function distanceBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2
  return Math.sqrt(sum)
}
