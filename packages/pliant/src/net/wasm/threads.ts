/**
 * Threads that share a batch: each holds an instance of the same module on the same memory, sleeps until woken, and
 * takes tiles of points from a counter until none is left. The caller takes tiles too and then waits, so that a query
 * stays a plain synchronous call; a thread that wakes late finds nothing left to do and holds nobody up.
 */
import type { Driver } from './kernel-module.js'
import { TILE } from './records.js'
import { CONTROL, THREAD_SOURCE } from './thread-source.js'

export const CONTROL_WORDS = 16

/** A tile takes microseconds: helpers that finish none for this long [ms] are dead, however loaded the machine is. */
const PATIENCE = 10_000

/** Looks at a shared word this often before going to sleep on it: about 20 us, less than a wake-up costs. */
const SPINS = 2000

export interface ThreadSetup {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** Address of CONTROL_WORDS words through which the threads are told what to do. */
  control: number
  /** A scratch block per thread; the first is the caller's. */
  scratches: number[]
  /** The caller's own instance. */
  kernels: Driver
  /** How long to wait for helpers that finish nothing [ms]. */
  patience?: number
}

export interface Threads {
  /** How many, without the caller. */
  readonly count: number
  /**
   * Answers `count` points of a program.
   * @throws Error if a thread has died or its kernel trapped, from then on always: what it leaves behind is not known
   */
  run(program: number, count: number): void
  stop(): void
}

/** Whether memory can be shared between threads here; pages need cross-origin isolation for it. */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false
}

/** Starts a thread per scratch block beside the caller's; undefined where the host refuses to start threads, say by its content policy. */
export async function startThreads(setup: ThreadSetup): Promise<Threads | undefined> {
  const state = new Int32Array(setup.memory.buffer, setup.control, CONTROL_WORDS)
  const { kernels, scratches, patience = PATIENCE } = setup
  const started = await Promise.allSettled(scratches.slice(1).map((scratch) => startThread(setup, scratch)))
  const threads = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  if (threads.length === 0) return undefined
  const canBlock = mayBlock(state)
  return {
    count: threads.length,
    run(program, count) {
      requireAlive(state)
      const tiles = Math.ceil(count / TILE)
      // The counter goes last: whoever takes a tile from it sees the rest. Counting down makes a taken number valid by
      // itself, also for a thread that is still awake from the query before.
      Atomics.store(state, CONTROL.program, program)
      Atomics.store(state, CONTROL.points, count)
      Atomics.store(state, CONTROL.tiles, tiles)
      Atomics.store(state, CONTROL.done, 0)
      Atomics.store(state, CONTROL.left, tiles)
      Atomics.add(state, CONTROL.wake, 1)
      Atomics.notify(state, CONTROL.wake)
      let taken = Atomics.sub(state, CONTROL.left, 1)
      while (taken > 0) {
        const first = (taken - 1) * TILE
        try {
          kernels.run(program, first, Math.min(TILE, count - first), scratches[0])
        } catch (trap) {
          // Helpers may still be at this batch: none may come after it.
          Atomics.store(state, CONTROL.failed, 1)
          throw trap
        }
        Atomics.add(state, CONTROL.done, 1)
        taken = Atomics.sub(state, CONTROL.left, 1)
      }
      waitForAll(state, tiles, canBlock, patience)
      requireAlive(state)
    },
    stop() {
      Atomics.store(state, CONTROL.stop, 1)
      Atomics.add(state, CONTROL.wake, 1)
      Atomics.notify(state, CONTROL.wake)
      for (const thread of threads) thread.terminate()
    },
  }
}

/** Returns when all tiles are done, or when no thread has finished one for as long as `patience`: then it has failed. */
function waitForAll(state: Int32Array, tiles: number, canBlock: boolean, patience: number): void {
  let last = -1
  let since = 0
  for (let spins = 0; ; spins++) {
    const done = Atomics.load(state, CONTROL.done)
    if (done === tiles) return
    if (spins % SPINS !== SPINS - 1) continue
    const now = performance.now()
    if (done !== last) {
      last = done
      since = now
    } else if (now - since > patience) {
      Atomics.store(state, CONTROL.failed, 1)
      return
    }
    if (canBlock) Atomics.wait(state, CONTROL.done, done, patience)
  }
}

function requireAlive(state: Int32Array): void {
  if (Atomics.load(state, CONTROL.failed) === 0) return
  throw new Error('threads: a helper thread has died; load the field again, with fewer threads if it happens again.')
}

/** A page's main thread may not sleep; it looks at the word until it changes. */
function mayBlock(state: Int32Array): boolean {
  try {
    Atomics.wait(state, CONTROL.done, -1, 0)
    return true
  } catch {
    return false
  }
}

interface Thread {
  terminate(): void
}

async function startThread({ module, memory, control }: ThreadSetup, scratch: number): Promise<Thread> {
  const state = new Int32Array(memory.buffer, control, CONTROL_WORDS)
  const died = (): void => void Atomics.store(state, CONTROL.failed, 1)
  const message = { module, memory, control, scratch, tile: TILE, spins: SPINS }
  // Not an import: a bundler for the browser would try to follow it.
  const node = typeof process === 'object' ? process.getBuiltinModule?.('node:worker_threads') : undefined
  return node ? startNodeThread(node, message, died) : startWebWorker(message, died)
}

function startNodeThread(
  node: typeof import('node:worker_threads'),
  message: object,
  died: () => void,
): Promise<Thread> {
  // No inherited arguments: the parent's preloads are not for this thread.
  const worker = new node.Worker(THREAD_SOURCE, { eval: true, execArgv: [] })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', reject)
    worker.once('message', () => {
      worker.removeListener('error', reject).on('error', died)
      worker.removeListener('exit', reject).on('exit', died)
      // A sleeping thread may not keep the process from ending.
      worker.unref()
      resolve({ terminate: () => void worker.terminate() })
    })
    worker.postMessage(message)
  })
}

function startWebWorker(message: object, died: () => void): Promise<Thread> {
  const address = URL.createObjectURL(new Blob([THREAD_SOURCE], { type: 'text/javascript' }))
  return new Promise((resolve, reject) => {
    const worker = new Worker(address)
    worker.onerror = (event) => reject(new Error(`threads: a worker did not start: ${event.message}; using fewer.`))
    worker.onmessage = () => {
      URL.revokeObjectURL(address)
      worker.onerror = died
      resolve({ terminate: () => worker.terminate() })
    }
    worker.postMessage(message)
  })
}
