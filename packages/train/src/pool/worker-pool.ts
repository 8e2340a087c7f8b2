/**
 * Worker threads that serve the functions of one task module. Tasks are begun in the order in which they are asked for;
 * each result comes to whoever asked for it (`inOrder` puts them in order). All of it can be ended at once, and a
 * worker that dies is an error that names what it was at. Workers are started when there is something to do, and those
 * that have nothing do not keep the process alive.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type FromWorker, receivedError, type ToWorker, type WorkerStart } from './messages.js'
import type { InputOf, ResultOf, StartOf, TaskModule, TaskName, TellOf } from './task.js'

export interface WorkerPoolOptions<Start> {
  /** What the pool does, for its errors. */
  name: string
  /** Most threads at a time; by default one per core. */
  threads?: number
  /** Given to each worker once. */
  start?: Start
  /** Tasks that are sent to a worker at a time; with 2, the next one is there when it has finished one. */
  tasksPerWorker?: number
  /** Ends all tasks at once and the pool with them; they reject with the signal's reason. */
  signal?: AbortSignal
}
export const WORKER_POOL_DEFAULTS = { tasksPerWorker: 1 } as const

export interface RunOptions<Tell> {
  /** Which one of its kind the task is, for errors. */
  name?: string
  /** Hears what the task tells while it is at work; what it throws, the task rejects with. */
  onTell?: Tell
  /** Buffers of the input that move to the worker instead of being copied. */
  transfer?: ArrayBuffer[]
}

/** A task that was asked for. */
interface Order extends ToWorker {
  name: string
  transfer: ArrayBuffer[]
  onTell?: (...told: never[]) => void
  resolve: (result: never) => void
  reject: (reason: unknown) => void
}

interface PoolWorker {
  thread: Worker
  /** What it was sent and has not finished; it is at the first. */
  orders: Order[]
  isReady: Promise<void>
  resolveReady: () => void
  rejectReady: (reason: unknown) => void
}

export class WorkerPool<Module extends TaskModule> {
  readonly threads: number
  private readonly workers = new Set<PoolWorker>()
  private readonly queue: Order[] = []
  private readonly ending = new Set<Promise<unknown>>()
  /** Why the pool takes no more tasks. */
  private closed: { reason: unknown } | undefined
  private nextId = 0
  private readonly onAbort = (): void => this.close(this.options.signal!.reason)

  /**
   * @param module  address of the task module
   * @throws RangeError if `threads` is not a whole number above 0
   */
  constructor(
    private readonly module: URL,
    private readonly options: WorkerPoolOptions<StartOf<Module>>,
  ) {
    const { name, signal } = options
    this.threads = options.threads ?? availableParallelism()
    if (!Number.isInteger(this.threads) || this.threads < 1) {
      throw new RangeError(`${name}: ${this.threads} threads; pass a whole number above 0.`)
    }
    if (signal?.aborted) this.closed = { reason: signal.reason }
    signal?.addEventListener('abort', this.onAbort)
  }

  /**
   * Starts all workers now, and waits until they are ready.
   * @throws Error if one cannot start
   */
  async ready(): Promise<void> {
    if (this.closed) throw this.closed.reason
    while (this.workers.size < this.threads) this.start()
    await Promise.all([...this.workers].map(({ isReady }) => isReady))
  }

  /** @throws what the task throws; Error that names it if its worker dies; the reason why the pool was ended */
  run<Name extends TaskName<Module>>(
    task: Name,
    input: InputOf<Module, Name>,
    { name, onTell, transfer = [] }: RunOptions<TellOf<Module, Name>> = {},
  ): Promise<ResultOf<Module, Name>> {
    if (this.closed) return Promise.reject(this.closed.reason)
    return new Promise((resolve, reject) => {
      const fullName = name === undefined ? this.options.name : `${this.options.name}: ${name}`
      const hear = onTell as Order['onTell']
      this.queue.push({ id: this.nextId++, task, input, name: fullName, onTell: hear, transfer, resolve, reject })
      this.deal()
    })
  }

  /** Ends all tasks at once, wherever they are; they reject with the reason. The next ones are given new workers. */
  cancel(reason: unknown): void {
    const workers = [...this.workers]
    const orders = [...workers.flatMap((worker) => worker.orders), ...this.queue.splice(0)]
    this.workers.clear()
    for (const { thread, rejectReady } of workers) {
      this.end(thread)
      rejectReady(reason)
    }
    for (const { reject } of orders) reject(reason)
  }

  /** Ends the workers and waits until they are gone; tasks that are under way reject. */
  async dispose(): Promise<void> {
    this.options.signal?.removeEventListener('abort', this.onAbort)
    this.close(new Error(`${this.options.name}: the pool was disposed; make a new one.`))
    await Promise.all(this.ending)
  }

  private close(reason: unknown): void {
    this.closed ??= { reason }
    this.cancel(reason)
  }

  private end(thread: Worker): void {
    const ended = thread.terminate().finally(() => this.ending.delete(ended))
    this.ending.add(ended)
  }

  /** Gives out what is waiting, as far as there are workers for it. */
  private deal(): void {
    while (this.queue.length > 0) {
      const { id, task, input, transfer, name, reject } = this.queue[0]
      const message: ToWorker = { id, task, input }
      try {
        const worker = this.findWorker()
        if (!worker) return
        worker.thread.postMessage(message, transfer)
        worker.thread.ref()
        worker.orders.push(this.queue[0])
      } catch (error) {
        reject(new Error(`${name}: cannot be sent to a worker: ${(error as Error).message}`, { cause: error }))
      }
      this.queue.shift()
    }
  }

  private findWorker(): PoolWorker | undefined {
    let best: PoolWorker | undefined
    for (const worker of this.workers) if (!best || worker.orders.length < best.orders.length) best = worker
    if (best?.orders.length === 0) return best
    if (this.workers.size < this.threads) return this.start()
    const { tasksPerWorker = WORKER_POOL_DEFAULTS.tasksPerWorker } = this.options
    return best && best.orders.length < tasksPerWorker ? best : undefined
  }

  private start(): PoolWorker {
    const workerData: WorkerStart = { module: this.module.href, start: this.options.start }
    const thread = new Worker(new URL('./pool-worker.js', import.meta.url), { workerData })
    let resolveReady!: () => void
    let rejectReady!: (reason: unknown) => void
    const isReady = new Promise<void>((resolve, reject) => {
      resolveReady = resolve
      rejectReady = reject
    })
    // Whoever waits for a task hears of it there.
    isReady.catch(() => undefined)
    const worker: PoolWorker = { thread, orders: [], isReady, resolveReady, rejectReady }
    this.workers.add(worker)
    // Messages that wait are handed over without a look at anything else, so signals and timers would have to wait too.
    const later = (hear: () => void): unknown => setImmediate(() => this.workers.has(worker) && hear())
    const lose = (what: string, cause?: Error): void => this.lose(worker, what, cause)
    thread.on('message', (message: FromWorker) => later(() => this.hear(worker, message)))
    thread.on('messageerror', (error) => later(() => lose(`sent what cannot be read: ${error.message}`, error)))
    thread.on('error', (error) => later(() => lose(`failed: ${error.message}`, error)))
    thread.on('exit', (code) => later(() => lose(`ended with exit code ${code} in the middle; run it again.`)))
    return worker
  }

  private hear(worker: PoolWorker, message: FromWorker): void {
    if (message.kind === 'ready') {
      if (worker.orders.length === 0) worker.thread.unref()
      worker.resolveReady()
      return
    }
    if (message.kind === 'unusable') {
      this.lose(worker, `cannot start: ${message.error.message}`, receivedError(message.error))
      return
    }
    const order = worker.orders[0]
    if (message.kind === 'told') {
      // What a task says after its end is nobody's.
      if (order?.id !== message.id) return
      try {
        order.onTell?.(...(message.told as never[]))
      } catch (error) {
        order.reject(error)
      }
      return
    }
    worker.orders.shift()
    if (worker.orders.length === 0) worker.thread.unref()
    if (message.kind === 'done') order.resolve(message.result as never)
    else order.reject(receivedError(message.error))
    this.deal()
  }

  /** A worker is gone, or of no more use. */
  private lose(worker: PoolWorker, what: string, cause?: Error): void {
    this.workers.delete(worker)
    this.end(worker.thread)
    const name = worker.orders[0]?.name ?? this.options.name
    const error = new Error(`${name}: its worker ${what}`, { cause })
    for (const { reject } of worker.orders) reject(error)
    worker.rejectReady(error)
    this.deal()
  }
}
