// The built package: workers are files of it.
import { BadInput } from '@pliant/train'
import { inOrder, onOwnThread, WorkerPool } from '@pliant/train/unstable/pool'
import { afterAll, describe, expect, it } from 'vitest'

/** As odd-tasks.mjs has it. */
interface OddTasks {
  tasks(start?: { base?: number; refuse?: string }): {
    square(number: number, tell: (fraction: number, word: string) => void): number
    wait(input: { milliseconds: number; answer: number }): Promise<{ answer: number; alone: boolean }>
    array(input: { length: number }): { made: Float64Array; rest: string }
    sum(array: Float64Array): number
    thread(): number
    refuse(input: { name: string; message: string }): void
    exit(code: number): void
    crash(): Promise<void>
    reject(): Promise<void>
    never(): Promise<void>
    forever(input: undefined, tell: () => void): void
    uncopyable(): void
  }
}
const module = new URL('./odd-tasks.mjs', import.meta.url)

const pools: WorkerPool<OddTasks>[] = []
function makePool(options: Partial<ConstructorParameters<typeof WorkerPool<OddTasks>>[1]> = {}): WorkerPool<OddTasks> {
  const pool = new WorkerPool<OddTasks>(module, { name: 'odd', threads: 2, ...options })
  pools.push(pool)
  return pool
}
afterAll(() => Promise.all(pools.map((pool) => pool.dispose())))

describe('a worker pool', () => {
  it('gives each result to whoever asked for it, and workers what they start with', async () => {
    const pool = makePool({ start: { base: 1000 }, threads: 3, tasksPerWorker: 2 })
    const told: unknown[] = []
    const results = Array.from({ length: 20 }, (_, k) =>
      pool.run('square', k, { onTell: (fraction, word) => told.push([fraction, word]) }),
    )
    expect(await Promise.all(results)).toEqual(results.map((_, k) => 1000 + k * k))
    expect(told).toEqual(results.map(() => [0.5, 'half']))
  })

  it('has no more threads than it may, and begins tasks in their order', async () => {
    const pool = makePool({ threads: 2 })
    await pool.ready()
    const threads = await Promise.all(Array.from({ length: 12 }, () => pool.run('thread', undefined)))
    expect(new Set(threads).size).toBeLessThanOrEqual(2)
    const alone = makePool({ threads: 1, tasksPerWorker: 2 })
    const ended: number[] = []
    const waits = [30, 1, 10].map((milliseconds, answer) =>
      alone.run('wait', { milliseconds, answer }).then((result) => {
        ended.push(result.answer)
        return result.alone
      }),
    )
    // Also a task that waits keeps its worker from the next one.
    expect(await Promise.all(waits)).toEqual([true, true, true])
    expect(ended).toEqual([0, 1, 2])
  })

  it('moves arrays there and back', async () => {
    const pool = makePool()
    const { made, rest } = await pool.run('array', { length: 5 })
    expect([made, rest]).toEqual([new Float64Array(5).fill(2), 'copied'])
    const sum = pool.run('sum', made, { transfer: [made.buffer as ArrayBuffer] })
    expect(made.length).toBe(0)
    expect(await sum).toBe(10)
  })

  it('passes on what a task throws as it was, and stays usable', async () => {
    const pool = makePool()
    const classes = { BadInput, RangeError, TypeError, Strange: Error }
    for (const [name, Class] of Object.entries(classes)) {
      const error = await pool.run('refuse', { name, message: `no ${name}` }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Class)
      expect((error as Error).message).toBe(`no ${name}`)
    }
    await expect(pool.run('uncopyable', undefined)).rejects.toThrow(/could not be cloned/)
    expect(await pool.run('square', 3)).toBe(9)
  })

  it.each([
    ['ends itself', 'exit', 7, 'odd: task 4: its worker ended with exit code 7 in the middle; run it again.'],
    ['fails beside its task', 'crash', undefined, 'odd: task 4: its worker failed: out of nowhere'],
    ['leaves a promise rejected', 'reject', undefined, 'odd: task 4: its worker failed: nobody looked'],
    ['waits for what cannot come', 'never', undefined, 'odd: task 4: its worker ended with exit code 0 in the middle;'],
  ] as const)(
    'names the task of a worker that %s, and gives the next one to another',
    async (_, task, input, message) => {
      const pool = makePool({ threads: 1, tasksPerWorker: 2 })
      const lost = pool.run(task, input as never, { name: 'task 4' })
      const behind = pool.run('square', 1, { name: 'task 5' }).catch((error: Error) => error.message)
      const waiting = pool.run('square', 2)
      await expect(lost).rejects.toThrow(message)
      // It was with that worker, and is lost with it.
      expect(await behind).toContain(message)
      expect(await waiting).toBe(4)
    },
  )

  it('says which task could not be sent, or had no worker to start with', async () => {
    const pool = makePool()
    const uncopyable = (() => 1) as unknown as number
    await expect(pool.run('square', uncopyable, { name: 'task 1' })).rejects.toThrow(
      /^odd: task 1: cannot be sent to a worker: .*could not be cloned/,
    )
    expect(await pool.run('square', 2)).toBe(4)
    const refusing = makePool({ start: { refuse: 'not these' } })
    await expect(refusing.run('square', 1, { name: 'task 1' })).rejects.toThrow(
      'odd: task 1: its worker cannot start: not these',
    )
    await expect(refusing.ready()).rejects.toThrow('odd: its worker cannot start: not these')
    const missing = new WorkerPool<OddTasks>(new URL('./no-such-tasks.mjs', import.meta.url), { name: 'odd' })
    await expect(missing.run('square', 1)).rejects.toThrow(/odd: its worker cannot start: .*no-such-tasks/)
    await missing.dispose()
    expect(() => makePool({ threads: 1.5 })).toThrow('odd: 1.5 threads; pass a whole number above 0.')
  })

  it('rejects a task with what its listener throws', async () => {
    const onTell = (): void => {
      throw new Error('terminal gone')
    }
    const pool = makePool()
    await expect(pool.run('square', 1, { onTell })).rejects.toThrow('terminal gone')
    expect(await pool.run('square', 2)).toBe(4)
  })
})

describe('ending a worker pool', () => {
  it('by its signal ends tasks that would never end, and those that wait, with the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const pool = makePool({ threads: 1, signal: controller.signal })
    const endless = pool.run('forever', undefined, { onTell: () => controller.abort(reason) })
    const waiting = pool.run('square', 1)
    await expect(endless).rejects.toBe(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(pool.run('square', 1)).rejects.toBe(reason)
    await pool.dispose()
    const late = makePool({ signal: controller.signal })
    await expect(late.run('square', 1)).rejects.toBe(reason)
  })

  it('by cancelling leaves it usable', async () => {
    const pool = makePool({ threads: 1 })
    const reason = new Error('not that')
    const endless = pool.run('forever', undefined, { onTell: () => pool.cancel(reason) })
    await expect(endless).rejects.toBe(reason)
    expect(await pool.run('square', 3)).toBe(9)
  })

  it('by disposing says so', async () => {
    const pool = makePool({ threads: 1 })
    const endless = pool.run('forever', undefined, { onTell: () => void pool.dispose() })
    await expect(endless).rejects.toThrow('odd: the pool was disposed; make a new one.')
    await expect(pool.ready()).rejects.toThrow('disposed')
  })
})

describe('a task on a thread of its own', () => {
  it('gives its result, tells, throws, ends and dies as in a pool', async () => {
    const told: unknown[] = []
    const onProgress = (...words: unknown[]): unknown => told.push(words)
    expect(await onOwnThread<OddTasks, 'square'>(module, 'square', 5, { onProgress })).toBe(25)
    expect(told).toEqual([[0.5, 'half']])
    await expect(
      onOwnThread<OddTasks, 'refuse'>(module, 'refuse', { name: 'BadInput', message: 'no' }),
    ).rejects.toBeInstanceOf(BadInput)
    await expect(onOwnThread<OddTasks, 'exit'>(module, 'exit', 3)).rejects.toThrow('exit: its worker ended with exit')
    const controller = new AbortController()
    const endless = onOwnThread<OddTasks, 'forever'>(module, 'forever', undefined, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(endless).rejects.toThrow('enough')
  })
})

describe('results in order', () => {
  it('are those of a loop, with so many begun ahead and no more', async () => {
    const pool = makePool({ threads: 2 })
    const begun: number[] = []
    const taken: number[] = []
    let ahead = 0
    const results = inOrder(8, 3, async (index) => {
      begun.push(index)
      ahead = Math.max(ahead, begun.length - taken.length)
      return (await pool.run('wait', { milliseconds: 20 - 2 * index, answer: index })).answer
    })
    for await (const result of results) taken.push(result)
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(begun).toEqual(taken)
    expect(ahead).toBe(3)
  })

  it('end with the first that fails, though one before it never ends', async () => {
    const results = inOrder(3, 3, (index) =>
      index === 1 ? Promise.reject(new Error('second')) : new Promise<number>(() => undefined),
    )
    await expect(results.next()).rejects.toThrow('second')
  })
})
