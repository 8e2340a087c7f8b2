/** Exact labels over worker threads: entry '@pliant/train/label'. */
export { type LabelJob, type LabelOptions, LabelPool, type LabelPoolOptions } from './label-pool.js'
