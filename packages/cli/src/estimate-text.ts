/** What `pliant train` says of its time before it starts, and what a budget cuts of it. */
import type { JobEstimate } from '@pliant/train'
import { formatCount } from './format.js'

/** Stages by the names that people know; those of one name are one. */
const NAMES: Record<JobEstimate['stages'][number]['stage'], string> = {
  before: 'so far',
  surface: 'surface',
  poses: 'poses',
  modes: 'modes',
  label: 'labels',
  learn: 'learning',
  judges: 'evaluating',
  evaluate: 'evaluating',
}

/** about 14 min: poses 3, labels 4, learning 6, evaluating 1 */
export function estimateText({ seconds, stages }: JobEstimate): string {
  const sums = new Map<string, number>()
  for (const { stage, seconds: each } of stages) sums.set(NAMES[stage], (sums.get(NAMES[stage]) ?? 0) + each)
  const unit = unitOf(seconds)
  const parts = [...sums]
    .filter(([, each]) => each >= 0.05 * unit.seconds)
    .map(([name, each]) => `${name} ${inUnit(each, unit)}`)
  return `about ${inUnit(seconds, unit)} ${unit.name}: ${parts.join(', ')}`
}

/** What a budget leaves out, or that it cannot be kept; undefined if it suffices. */
export function budgetText({ counts, budget }: JobEstimate): string | undefined {
  if (!budget || budget.wanted <= budget.given) return undefined
  const { poses, steps, judges } = budget.wantedCounts
  const of = (some: number, all: number, what: string): string[] =>
    some < all ? [`${formatCount(some)} of ${formatCount(all)} ${what}`] : []
  const cut = [
    ...of(counts.poses, poses, 'poses'),
    ...of(counts.steps, steps, 'steps'),
    ...of(counts.judges, judges, 'poses to evaluate on'),
  ].join(', ')
  if (budget.least > budget.given) {
    return `the budget of ${aboutTime(budget.given)} cannot be kept: the least takes about ${aboutTime(budget.least)}; going on with ${cut || 'that'}`
  }
  return `the budget of ${aboutTime(budget.given)} is less than the ${aboutTime(budget.wanted)} of the whole job; cut to ${cut}`
}

interface Unit {
  seconds: number
  name: string
}

function unitOf(seconds: number): Unit {
  if (seconds < 90) return { seconds: 1, name: 's' }
  return seconds < 5400 ? { seconds: 60, name: 'min' } : { seconds: 3600, name: 'h' }
}

/** Two digits: nobody knows more of it. */
function inUnit(seconds: number, unit: Unit): string {
  const value = seconds / unit.seconds
  return value < 9.95 && unit.seconds > 1 ? String(Number(value.toFixed(1))) : String(Math.round(value))
}

function aboutTime(seconds: number): string {
  const unit = unitOf(seconds)
  return `${inUnit(seconds, unit)} ${unit.name}`
}
