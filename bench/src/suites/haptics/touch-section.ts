/** Whole frames of haptics on the page: where their time goes, the force on the hand and its depth over the path. */

import { type CurvePoint, drawCurves, drawLegend } from '../../pages/charts.js'
import { count, type PageSection, renderFigure, renderTable } from '../../pages/page.js'
import type { HapticsBenchResult } from './run.js'
import { FRAME_PARTS, type TouchRun } from './touch.js'

const FIELDS = [
  ['learned', 'Pliant', '#d9541e'],
  ['exact', 'exact mesh', '#1f77b4'],
  ['paper', "the paper's network", '#7b4fb5'],
] as const

export function touchSection({ touch, body }: HapticsBenchResult): PageSection {
  const runs = FIELDS.flatMap(([name, title, colour]) => {
    const run = touch[name]
    return run ? [{ title, colour, run }] : []
  })
  const rows = runs.map(({ title, run }) => [
    title,
    ...FRAME_PARTS.map((part) => run.parts[part].toFixed(2)),
    run.total.toFixed(1),
    `${run.deepest.toFixed(2)}%`,
    `${run.jerk.rms.toFixed(0)} (${run.jerk.largest.toFixed(0)})`,
    run.jerk.meanForce.toFixed(2),
  ])
  const head = ['field', ...FRAME_PARTS.map((part) => `${part}, ms`), 'in all, ms', 'deepest', 'jerk, N/s²', 'force, N']
  const caption = `median frame of ${count(touch.frames)}, while the hand presses and slides; an exact field is refitted where a network is posed; depth of the hand in the exact surface, in % of the diagonal; root mean square (largest) second difference of the force; mean force`
  const colours = new Map(runs.map(({ title, colour }) => [title, colour]))
  const chart = (label: string, y: string, values: (run: TouchRun) => number[]): string => {
    const points = runs.flatMap(({ title, run }) =>
      values(run).map((value, i): CurvePoint => ({ x: run.trace.times[i], y: value, curve: title })),
    )
    return renderFigure(drawCurves(points, { x: 'time, s', y, label, colours, height: 280 }), label)
  }
  const charts = [
    chart('force on the hand', 'N', (run) => run.trace.forces),
    chart('second difference of the force', 'N/s²', jerks),
    chart('depth of the hand in the exact surface', '% of the diagonal', (run) => run.trace.depths),
  ]
  const text = `<p>A soft hand of ${count(touch.tool.nodes)} nodes presses onto the ${body.name}, slides and leaves, the body in the material of run time. The learned field's jerk is ${touch.jerkRatio.toFixed(2)} of the exact one's.</p>`
  return {
    title: 'Whole frames of haptics',
    body: `${text}${renderTable(head, rows, caption)}${drawLegend(colours)}<div class="row">${charts.join('')}</div>`,
  }
}

/** Of the force's length, so that one sees when; the table has that of the vector. */
function jerks({ trace: { times, forces } }: TouchRun): number[] {
  const step = times[1] - times[0]
  return forces.map((force, i) => {
    if (i === 0 || i === forces.length - 1) return 0
    return Math.abs(forces[i - 1] - 2 * force + forces[i + 1]) / step ** 2
  })
}
