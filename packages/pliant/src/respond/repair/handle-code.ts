/**
 * The collision handler of Tan et al. (section 3.3): of all codes that are free by a field, the one that serves a goal
 * best, by an augmented Lagrangian. What the paper leaves open is closed by the exact test: asked once; if it still finds
 * contact, a second solve with a larger margin; and if that fails, the search of `repairCode`. So the answer is exactly
 * free, or says that it is not.
 */
import type { ConfigurationField, ExactTest } from '../../field/configuration-field.js'
import type { Floats } from '../../math/floats.js'
import { isFloats, requireNumbers, shown } from '../../math/require.js'
import { COUNT, NOT_NEGATIVE, POSITIVE, type Rule, type Rules, settingsOf } from '../../math/settings.js'
import { AskedField, type DomainField } from './asked-field.js'
import { AugmentedLagrangian, type LagrangianSettings } from './augmented-lagrangian.js'
import { type CartesianGoal, type CodeGoal, cartesianObjective, codeObjective } from './code-goals.js'
import { type CodeBox, CodeSearch } from './code-search.js'
import { repairCode } from './repair-code.js'

/** How a code is handled. */
export interface HandleOptions extends Partial<LagrangianSettings> {
  /** What is wanted besides freedom; left out, the distance to the code. */
  goal?: CodeGoal | CartesianGoal
  /** Distance from self-contact that the result keeps by the field, in the unit of the code, zero or more. */
  margin?: number
  /** The same of the second solve. */
  secondMargin?: number
  /** How much further than the margin the result may be [unit of the code]. */
  tolerance?: number
  /** Exact tests that the search may cost where both solves failed, about. */
  tests?: number
  /** Codes stay within; left out, the box that the field was trained in, if it knows one. */
  box?: CodeBox
  /** Where the first solve begins, such as the last frame's result; left out, at the code. */
  start?: ArrayLike<number>
  /** A code that is free, for the search to go towards where the field knows no way; left out, zeros. */
  home?: ArrayLike<number>
}
/** Margins as `repairCode` has its first and its third; weights and counts as augmented Lagrangians usually have them, since the paper gives none. */
export const HANDLE_DEFAULTS = {
  margin: 0.01,
  secondMargin: 0.04,
  tolerance: 2e-4,
  tests: 60,
  weight: 10,
  weightGrowth: 5,
  mostWeight: 1e6,
  shrink: 4,
  outer: 20,
  inner: 30,
  memory: 10,
} as const

/** What became of a code. */
export interface HandleReport {
  /** Whether the result is free: by the exact test, or without one by the field, with the margin. */
  free: boolean
  /** Whether the code as given was free, once it was put into the box. */
  wasFree: boolean
  /** Whether the code was outside the box. */
  clamped: boolean
  /** Way from the code as it was given to the result, in the unit of the code. */
  moved: number
  /** Solves by the augmented Lagrangian: none for a code that stays, one, or two. */
  solves: number
  /** Whether neither solve was free, and the result is what the search of `repairCode` made of it. */
  searched: boolean
  /** Outer iterations of all solves. */
  outerIterations: number
  /** Times the field was asked, with gradients. */
  evaluations: number
  /** Exact tests asked. */
  tests: number
  /** How far the result is within the margin by the field [unit of the code]; zero if it is not. */
  violation: number
}

type Settings = Omit<Required<HandleOptions>, 'goal' | 'box' | 'start' | 'home'>
const ABOVE_ONE: Rule = { fits: (value) => typeof value === 'number' && value > 1, needs: 'give a number above 1' }
const RULES: Rules<Settings> = {
  margin: NOT_NEGATIVE,
  secondMargin: NOT_NEGATIVE,
  tolerance: POSITIVE,
  tests: COUNT,
  weight: POSITIVE,
  weightGrowth: ABOVE_ONE,
  mostWeight: POSITIVE,
  shrink: ABOVE_ONE,
  outer: COUNT,
  inner: COUNT,
  memory: COUNT,
}

/**
 * Moves a code to the free one that serves the goal best. A free code whose goal is its own place stays as it is; one
 * outside the box is put onto it first. If no free code is found, the result is the code as given, in its box.
 * @param field    tells the way; of a `DomainField` each distance is a constraint of its own
 * @param exact    decides what is free, such as `exactSelfContact` of pliant/exact; undefined to believe the field
 * @param code     as many numbers as the field's codes have, finite
 * @param out      receives the result; may be the code itself. What is tested is what it can hold: of a Float32Array
 *                 the rounded code
 * @throws RangeError if a length or an option is wrong, or the code is not finite
 */
export function handleCode(
  field: (ConfigurationField | DomainField) & { readonly bounds?: CodeBox },
  exact: ExactTest | undefined,
  code: ArrayLike<number>,
  options: HandleOptions,
  out: Floats,
): HandleReport {
  const { goal = {}, box = field.bounds, start: first, home, ...given } = options
  const settings = settingsOf<Settings>('handle', given, { ...HANDLE_DEFAULTS }, RULES)
  requireNumbers('handle', code, 'code value', field.codeSize)
  if (!isFloats(out) || out.length !== field.codeSize) {
    throw new RangeError(`handle: room for ${shown(out)}; pass a Float32Array or Float64Array of ${field.codeSize}.`)
  }
  if (first) requireNumbers('handle', first, 'start value', field.codeSize)
  const asGiven = Float64Array.from(code)
  const asked = new AskedField(field)
  const search = new CodeSearch(asked, exact, box, settings.tests)
  search.floor = settings.margin
  out.set(asGiven)
  const clamped = search.clamp(out)
  const start = Float64Array.from(out)
  const wasFree = isFree(search, out)
  const report = { free: wasFree, wasFree, clamped, moved: 0, solves: 0, searched: false, outerIterations: 0 }
  let searchTests = 0
  if ('points' in goal || !wasFree) {
    if (first) out.set(first)
    solveTwice(search, asked, goal, settings, asGiven, out, report)
    if (!report.free) {
      const { margin, tests } = settings
      // Of a goal in space, from where the solves came nearest to it.
      const searched = repairCode(asked, exact, 'points' in goal ? out : start, { margin, tests, box, home }, out)
      searchTests = searched.tests
      report.searched = true
      report.free = searched.free || wasFree
      if (!searched.free) out.set(start)
    }
  }
  const violation = Math.max(0, settings.margin - search.measure(out))
  let square = 0
  for (let k = 0; k < out.length; k++) square += (out[k] - asGiven[k]) ** 2
  report.moved = Math.sqrt(square)
  return { ...report, evaluations: asked.evaluations, tests: search.tests + searchTests, violation }
}

/**
 * The solve, and where the exact test still finds contact, the second one from its result.
 * @param out  where to begin; receives the result
 */
function solveTwice(
  search: CodeSearch,
  asked: AskedField,
  goal: CodeGoal | CartesianGoal,
  settings: Settings,
  wished: Float64Array,
  out: Floats,
  report: Pick<HandleReport, 'free' | 'solves' | 'outerIterations'>,
): void {
  const { margin, secondMargin, tolerance } = settings
  const objective = 'points' in goal ? cartesianObjective(wished, goal) : codeObjective(wished, goal)
  const lagrangian = new AugmentedLagrangian(wished.length, asked, settings)
  const code = Float64Array.from(out)
  report.free = false
  for (const aim of [margin, Math.max(margin, secondMargin)]) {
    // Aimed beyond by the tolerance, so that what is within it has the margin.
    asked.margin = aim + tolerance
    report.outerIterations += lagrangian.solve(objective, code, search.box, tolerance).outerIterations
    report.solves++
    out.set(code)
    report.free = isFree(search, out)
    if (report.free) return
  }
}

/** By the exact test alone if there is one, as `repairCode` has it of codes that it is given; without one by the field. */
function isFree(search: CodeSearch, code: Floats): boolean {
  return search.exact ? !search.touches(code) : search.measure(code) >= search.floor
}
