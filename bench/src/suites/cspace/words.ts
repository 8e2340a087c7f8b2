/** What tables call things, on a terminal and in documents alike. */
import { formatNumber } from '@pliant/train/unstable/text'
import type { SelfContactQuality } from 'pliant'
import type { CspaceResult } from './run.js'
import type { Keeping } from './simulation.js'

export const KEEPING: Record<Keeping, string> = {
  nothing: 'nothing',
  paper: "the paper's network and row",
  learned: 'ours',
  hybrid: 'ours with the exact test',
}

export const METHOD_NAMES = { paper: "the paper's method", ours: 'ours' } as const

export const QUALITY_HEADING = ['sign', 'balanced', 'within 0.1', 'e_sd', 'e_grad', 'sigma_grad', 'with 5% exact']

export function qualityCells(quality: SelfContactQuality): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`
  const few = quality.hybrid.filter(({ exactShare }) => exactShare <= 0.05).at(-1)
  return [
    percent(quality.signAccuracy),
    percent(quality.balancedAccuracy),
    percent(quality.nearAccuracy),
    quality.distanceError ? formatNumber(quality.distanceError.mean) : '-',
    formatNumber(quality.gradientError),
    formatNumber(quality.gradientSpread),
    few ? percent(few.accuracy) : '-',
  ]
}

export const SIMULATION_HEADING = [
  ...['body', 'kept apart by', 'meeting', 'deeper than 1%', 'deepest', 'times real time', 'exact tests a frame'],
]

/** A row for each way to keep each body apart; earlier results have one body. */
export function simulationCells({ bodies, name, simulation }: CspaceResult): string[][] {
  return (bodies ?? [{ name, simulation }]).flatMap((body) =>
    body.simulation.map(({ keeping, meeting, deep, deepest, realTime, tests }) => [
      body.name,
      KEEPING[keeping],
      ...[meeting, deep, deepest].map((share) => `${formatNumber(100 * share)}%`),
      formatNumber(realTime),
      formatNumber(tests),
    ]),
  )
}
