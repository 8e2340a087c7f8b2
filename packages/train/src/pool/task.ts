/**
 * What a worker can do: a task module is a file that exports `tasks`, a function that each worker calls once with what it
 * is given at its start, and that returns the functions it serves from then on. All inputs and results are copied
 * between threads (structured clone); only shared memory is shared, and what is `moved` moves.
 */

/**
 * A result that must depend on input and start alone, whichever worker it is.
 * @param tell  says something while it works, such as how far it is
 */
// biome-ignore lint/suspicious/noExplicitAny: any function is one, and the types below read its own back.
export type Task = (input: any, tell: (...told: any[]) => void) => unknown

export interface TaskModule {
  // biome-ignore lint/suspicious/noExplicitAny: see Task.
  tasks(start: any): Record<string, Task> | Promise<Record<string, Task>>
}

/** What every worker of a module is given at its start. */
export type StartOf<Module extends TaskModule> = Parameters<Module['tasks']>[0]
type TasksOf<Module extends TaskModule> = Awaited<ReturnType<Module['tasks']>>
export type TaskName<Module extends TaskModule> = keyof TasksOf<Module> & string
export type InputOf<Module extends TaskModule, Name extends TaskName<Module>> = Parameters<TasksOf<Module>[Name]>[0]
/** What hears the words of a task that is at work. */
export type TellOf<Module extends TaskModule, Name extends TaskName<Module>> = (
  ...told: Parameters<NonNullable<Parameters<TasksOf<Module>[Name]>[1]>>
) => void
type Arrived<Result> = Result extends Moved<infer Value> ? Value : Result
export type ResultOf<Module extends TaskModule, Name extends TaskName<Module>> = Arrived<
  Awaited<ReturnType<TasksOf<Module>[Name]>>
>

export class Moved<Value> {
  constructor(
    readonly value: Value,
    readonly buffers: ArrayBuffer[],
  ) {}
}

/** A task's result whose large arrays change hands instead of being copied; the worker has them no longer. */
export function moved<Value>(value: Value, ...arrays: ArrayBufferView[]): Moved<Value> {
  return new Moved(
    value,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  )
}
