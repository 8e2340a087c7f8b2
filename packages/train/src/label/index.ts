/** Exact labels over worker threads: entry '@pliant/train/unstable/label'. */
export { type BlockOptions, labelInBlocks } from './label-blocks.js'
export { type LabelJob, type LabelOptions, LabelPool, type LabelPoolOptions } from './label-pool.js'
