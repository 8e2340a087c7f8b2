/** What a pool and its workers say to each other. */
import { BadInput } from '../input/bad-input.js'

/** Given to a worker when it starts. */
export interface WorkerStart {
  /** Address of the task module. */
  module: string
  start: unknown
}

export interface ToWorker {
  id: number
  task: string
  input: unknown
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'unusable'; error: SentError }
  | { kind: 'told'; id: number; told: unknown[] }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; error: SentError }

/** An error as it travels: its class would not, and who is to blame is told by the class. */
export interface SentError {
  name: string
  message: string
  stack?: string
}

const CLASSES: Record<string, new (message: string) => Error> = { BadInput, RangeError, TypeError }

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack }
}

export function receivedError({ name, message, stack }: SentError): Error {
  const error = new (CLASSES[name] ?? Error)(message)
  if (stack !== undefined) error.stack = stack
  return error
}
