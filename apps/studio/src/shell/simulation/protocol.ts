/**
 * What a page and its worker say to each other, whatever is simulated. The worker owns the bodies; the page asks for
 * time to pass and draws the frames that come back.
 */

/** The types that make one simulation. */
export interface Simulation {
  /** What it is opened from. */
  files: object
  settings: object
  /** Told once, when it has been opened. */
  opened: { settings: object }
  /** What a page can ask for besides settings, such as a reset. */
  command: object | string
  /** What goes along with every request for time, such as where a hand is. */
  input: unknown
  frame: { vertices: VertexBuffers }
}

/** Vertices by surface. Buffers of an earlier frame come back, so that none are allocated in flight. */
export type VertexBuffers = Record<string, Float32Array<ArrayBuffer>>

export type ToWorker<S extends Simulation> =
  | { kind: 'open'; files: S['files']; settings: Partial<S['settings']> }
  | { kind: 'set'; settings: Partial<S['settings']> }
  | { kind: 'command'; command: S['command'] }
  | { kind: 'advance'; steps: number; input: S['input']; spare: S['frame']['vertices'] | undefined }

export type FromWorker<S extends Simulation> =
  | { kind: 'opened'; opened: S['opened'] }
  | { kind: 'frame'; frame: S['frame'] }
  /** `opening`: what was on show before goes on. Otherwise the simulation has stopped. */
  | { kind: 'failed'; message: string; opening: boolean }

/** Time that one step takes in the world [s]. */
export const STEP = 1 / 60

/** Buffers for so many numbers of each surface: the spare ones, if they still fit. */
export function fittingBuffers<Names extends string>(
  spare: Record<Names, Float32Array<ArrayBuffer>> | undefined,
  lengths: Readonly<Record<Names, number>>,
): Record<Names, Float32Array<ArrayBuffer>> {
  const names = Object.keys(lengths) as Names[]
  if (spare && names.every((name) => spare[name].length === lengths[name])) return spare
  return Object.fromEntries(names.map((name) => [name, new Float32Array(lengths[name])])) as Record<
    Names,
    Float32Array<ArrayBuffer>
  >
}

/** The memory of buffers, to be handed over instead of copied. */
export function memoryOf(vertices: VertexBuffers | undefined): ArrayBuffer[] {
  return vertices ? Object.values(vertices).map(({ buffer }) => buffer) : []
}
