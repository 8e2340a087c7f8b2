/** Tasks that go well and tasks that go wrong, for the tests of the pool. */
import { threadId } from 'node:worker_threads'
import { moved } from '@pliant/train/unstable/pool'

/** @param {{ base?: number, refuse?: string } | undefined} start */
export function tasks(start) {
  if (start?.refuse) throw new RangeError(start.refuse)
  let served = 0
  return {
    /**
     * @param {number} number
     * @param {(fraction: number, word: string) => void} tell
     */
    square(number, tell) {
      tell(0.5, 'half')
      return (start?.base ?? 0) + number * number
    },
    /**
     * Answers after a while, and says whether no other task was served meanwhile.
     * @param {{ milliseconds: number, answer: number }} input
     */
    async wait({ milliseconds, answer }) {
      const before = served
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      return { answer, alone: served++ === before }
    },
    /** @param {{ length: number }} input */
    array({ length }) {
      const made = new Float64Array(length).fill(2)
      return moved({ made, rest: 'copied' }, made)
    },
    /** @param {Float64Array} array */
    sum(array) {
      return array.reduce((a, b) => a + b, 0)
    },
    thread: () => threadId,
    /** @param {{ name: string, message: string }} input */
    refuse({ name, message }) {
      const error = new Error(message)
      error.name = name
      throw error
    },
    /** @param {number} code */
    exit(code) {
      process.exit(code)
    },
    async crash() {
      setTimeout(() => {
        throw new Error('out of nowhere')
      })
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    },
    reject() {
      void Promise.reject(new Error('nobody looked'))
      return new Promise((resolve) => setTimeout(resolve, 60_000))
    },
    /** Waits for what cannot come. */
    never: () => new Promise(() => undefined),
    forever(_, /** @type {() => void} */ tell) {
      tell()
      for (;;);
    },
    uncopyable: () => () => 1,
  }
}
