/** Cells of the paper's Table 2, each one trained detector, by the names that files and the command line call them. */

/** What is learned. `hand` and `hand-joints` are one mesh by two codes: a learned one, and its joint angles. */
export const SUBJECTS = ['hand', 'hand-joints', 'body', 'skirt'] as const
export type SubjectName = (typeof SUBJECTS)[number]

/** The paper's two baselines and its method (Supv, Supv+bd, Active+bd), then ours. */
export const METHODS = ['supv', 'supv-bd', 'active-bd', 'ours'] as const
export type MethodName = (typeof METHODS)[number]

/** `hand-joints-supv-bd-1`. With another number of labels than the subject's own it is another cell: `hand-ours-1-20000`. */
export interface HandlerCell {
  subject: SubjectName
  method: MethodName
  seed: number
  /** Exact labels that it may take; left out, as many as all methods of the subject. */
  budget?: number
}

export function nameOfCell({ subject, method, seed, budget }: HandlerCell): string {
  return `${subject}-${method}-${seed}${budget === undefined ? '' : `-${budget}`}`
}

/**
 * @param text  names, separated by commas; one that is cut short means all that begin with it, `all` those of Table 2
 * @returns each cell once, in the order of their names
 * @throws Error in one line that lists the forms
 */
export function parseCells(text: string): HandlerCell[] {
  const cells = text.split(',').flatMap((name) => cellsOf(name.trim()))
  return [...new Map(cells.map((cell) => [nameOfCell(cell), cell])).values()]
}

/** Every cell of Table 2. */
export function tableCells(): HandlerCell[] {
  return SUBJECTS.flatMap((subject) => METHODS.map((method): HandlerCell => ({ subject, method, seed: 1 })))
}

// Longer names first: `hand-joints` is no method of `hand`.
const longestFirst = (names: readonly string[]): string => [...names].sort((a, b) => b.length - a.length).join('|')
const FORM = new RegExp(
  `^(${longestFirst(SUBJECTS)})(?:-(${longestFirst(METHODS)})(?:-(\\d{1,9})(?:-([1-9]\\d{2,8}))?)?)?$`,
)

function cellsOf(name: string): HandlerCell[] {
  if (name === 'all') return tableCells()
  const [, subject, method, seed = '1', budget] = FORM.exec(name) ?? []
  if (subject === undefined) {
    throw new Error(
      `reproduce: there is no cell '${name}'; --cells takes all, SUBJECT, SUBJECT-METHOD, SUBJECT-METHOD-SEED, SUBJECT-METHOD-SEED-LABELS, where SUBJECT is ${SUBJECTS.join(', ')}, METHOD ${METHODS.join(', ')}, LABELS 100 or more.`,
    )
  }
  return METHODS.filter((one) => method === undefined || one === method).map((one) => ({
    subject: subject as SubjectName,
    method: one,
    seed: Number(seed),
    ...(budget !== undefined && { budget: Number(budget) }),
  }))
}
