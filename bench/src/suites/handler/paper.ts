/** What the paper prints of its own data (Tan et al., Table 2 and Figs. 6 and 7): 750,000 test codes, 10,000 handled ones. */
import type { MethodName, SubjectName } from './cells/cell-name.js'

export type PaperMethod = Exclude<MethodName, 'ours'>

export interface PrintedSet {
  name: string
  /** Labels in all. */
  labels: number
  /** By method [%]. */
  accuracy: Record<PaperMethod, number>
  falseNegatives: Record<PaperMethod, number>
}

/** Name, labels, then accuracy and missed contacts of Supv, Supv+bd and Active+bd. */
const TABLE_2 = [
  ['SCAPE', 550_000, [0.9181, 0.9282, 0.9383], [0.06914, 0.05576, 0.05151]],
  ['Swing', 45_000, [0.946, 0.9609, 0.9638], [0.01969, 0.01766, 0.01485]],
  ['Jump', 45_000, [0.9347, 0.95, 0.9552], [0.02713, 0.02644, 0.02573]],
  ['Skirt', 40_000, [0.966, 0.9795, 0.9817], [0.02056, 0.01956, 0.01808]],
  ['Hand', 550_000, [0.9558, 0.965, 0.9692], [0.03727, 0.03652, 0.03582]],
] as const

export const PAPER_TABLE_2: readonly PrintedSet[] = TABLE_2.map(([name, labels, accuracy, falseNegatives]) => ({
  name,
  labels,
  accuracy: byMethod(accuracy),
  falseNegatives: byMethod(falseNegatives),
}))

function byMethod([supv, supvBd, activeBd]: readonly number[]): Record<PaperMethod, number> {
  return { supv: 100 * supv, 'supv-bd': 100 * supvBd, 'active-bd': 100 * activeBd }
}

/** The paper's set that a subject of ours is most like. */
const LIKE: Record<SubjectName, string> = { hand: 'Hand', 'hand-joints': 'Hand', body: 'SCAPE', skirt: 'Skirt' }

export function printedSet(subject: SubjectName): PrintedSet {
  return PAPER_TABLE_2.find(({ name }) => name === LIKE[subject])!
}

/** Fig. 7, of SCAPE: mean relative reduction of the depth [%] and mean way of the code, in the unit of the paper's code. */
export const PAPER_HANDLING = {
  'active-bd': { reduction: 94.81, moved: 56.17 },
  'supv-bd': { reduction: 88.76, moved: 66.11 },
} as const
