/** Exact labels over worker threads: entry '@pliant/train/unstable/label'. */
export { ContactPool, type ContactPoolOptions, type ContactSource } from './contact-pool.js'
export type { Crossings } from './contact-tasks.js'
export { type BlockOptions, labelInBlocks } from './label-blocks.js'
export { type LabelJob, type LabelOptions, LabelPool, type LabelPoolOptions } from './label-pool.js'
export { linearContacts } from './linear-contacts.js'
export { posedContacts } from './posed-contacts.js'
export { SIGN_LABELS_DEFAULTS, SignLabels, type SignLabelsOptions } from './sign-labels.js'
