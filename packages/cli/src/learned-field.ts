/** A trained artifact at one shape, ready to be asked, on the backend that was asked for. */
import type { Artifact, SignedField, TrainedField } from 'pliant'
import type { TrainedFile } from './artifact-file.js'
import type { AskedState } from './asked-state.js'
import { UsageError } from './errors.js'
import type { QueryCommand } from './kinds/kind-commands.js'

type Floats = Float32Array | Float64Array

export type Backend = 'simd' | 'ort' | 'scalar'

export interface LearnedField {
  /** What computes. */
  readonly backend: string
  /** Mean error of distances near the surface that the field expects of itself here [m], and whether that is ordinary. */
  readonly expectedError: number
  readonly trusted: boolean
  /** Distances [m] of `count` points and, if asked for, their gradients. */
  query(points: Floats, count: number, distances: Floats, gradients?: Floats): Promise<void> | void
  dispose(): Promise<void> | void
}

/** On a backend of our own. */
export interface OpenedField extends LearnedField {
  /** The field as points see it. */
  readonly asked: SignedField
}

/**
 * @param backend undefined: the fastest of our own that the host has
 * @throws Error in one line if the host cannot run the backend
 */
export async function openLearnedField<A extends Artifact>(
  file: TrainedFile<A>,
  query: QueryCommand<A>,
  state: AskedState,
  { backend, threads }: { backend?: Backend; threads?: number },
): Promise<LearnedField> {
  if (backend === 'ort' && state.kind !== 'code') {
    throw new UsageError('query: --backend ort takes a code alone; leave it out, or pass --code.')
  }
  const options = { backend: backend === 'ort' ? ('scalar' as const) : backend, threads }
  const field = await query.open(file.artifact, state, options)
  if (backend === 'ort' && state.kind === 'code') {
    const { expectedError, trusted } = field
    await field.dispose()
    return { expectedError, trusted, ...(await openExported(file.bytes, state.code, threads)) }
  }
  return field
}

/**
 * @param asked  the field as points see it, if that is elsewhere
 * @param scale  lengths where the field is asked, of one metre of its own
 */
export function openedField(field: TrainedField, asked: SignedField = field, scale = 1): OpenedField {
  return {
    asked,
    backend: field.network.backend,
    expectedError: scale * field.expectedError,
    trusted: field.trusted,
    query: (points, count, distances, gradients) => asked.query(points, count, distances, gradients),
    dispose: () => field.dispose(),
  }
}

/** The very file that `pliant export` writes, run by onnxruntime-node. */
async function openExported(
  bytes: Uint8Array,
  code: Float64Array,
  threads: number | undefined,
): Promise<Omit<LearnedField, 'expectedError' | 'trusted'>> {
  const { exportArtifactOnnx } = await import('@pliant/train')
  const { createOrtNetwork } = await import('pliant/ort')
  const network = await createOrtNetwork(await exportArtifactOnnx(bytes), { threads })
  return {
    backend: 'ort',
    query: (points, count, distances, gradients) => network.query(points, count, code, distances, gradients),
    dispose: () => network.dispose(),
  }
}
