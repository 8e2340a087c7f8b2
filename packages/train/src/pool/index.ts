/** Work on threads: entry '@pliant/train/unstable/pool'. */
export { inOrder } from './in-order.js'
export { type OwnThreadOptions, onOwnThread } from './own-thread.js'
export { type Moved, moved, type Task, type TaskModule } from './task.js'
export { type RunOptions, WorkerPool, type WorkerPoolOptions } from './worker-pool.js'
