/** What tables call things, on the page and in documents alike. */
import type { MethodName, SubjectName } from './cells/cell-name.js'

export const METHOD_NAMES: Record<MethodName, string> = {
  supv: 'Supv',
  'supv-bd': 'Supv+bd',
  'active-bd': 'Active+bd',
  ours: 'ours',
}

export const SUBJECT_NAMES: Record<SubjectName, string> = {
  hand: 'hand',
  'hand-joints': 'hand, joint angles',
  body: 'body',
  skirt: 'skirt',
}

/** Said wherever the paper's values stand beside ours. */
export const EXCLUSIONS =
  "The paper's data are not at hand: our hand, body and skirt are others of the same kind, so its printed values say how hard such shapes are, and rows below each other compare methods. All methods of a subject take equally many exact labels, far fewer than the paper's hand and SCAPE, and learn in the same space of shapes, which is ours. Labels of the hand's joint angles are drawn around its poses, not evenly from a box, and judged around poses that were held out. Contact of neighbours along the surface is left alone, as `pliant inspect` says."
