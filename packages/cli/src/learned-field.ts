/** A trained artifact at one shape, ready to be asked, on the backend that was asked for. */
import {
  type FieldOf,
  load,
  type NetworkOptions,
  type ObjectArtifact,
  type SignedField,
  type TrainedField,
  TransformedField,
} from 'pliant'
import type { CharacterArtifact } from 'pliant/character'
import { invertAffine } from 'pliant/unstable'
import type { TrainedFile } from './artifact-file.js'
import type { AskedState } from './asked-state.js'
import { UsageError } from './errors.js'

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

/**
 * @param backend undefined: the fastest of our own that the host has
 * @throws Error in one line if the host cannot run the backend
 */
export async function openLearnedField(
  file: TrainedFile,
  state: AskedState,
  { backend, threads }: { backend?: Backend; threads?: number },
): Promise<LearnedField> {
  if (backend === 'ort' && state.kind !== 'code') {
    throw new UsageError('query: --backend ort takes a code alone; leave it out, or pass --code.')
  }
  const options = { backend: backend === 'ort' ? ('scalar' as const) : backend, threads }
  const field =
    file.artifact.kind === 'character'
      ? await openCharacter(file.artifact, state, options)
      : await openObject(file.artifact, state, options)
  if (backend === 'ort' && state.kind === 'code') {
    const { expectedError, trusted } = field
    await field.dispose()
    return { expectedError, trusted, ...(await openExported(file.bytes, state.code, threads)) }
  }
  return field
}

async function openCharacter(
  artifact: CharacterArtifact,
  state: AskedState,
  options: NetworkOptions,
): Promise<LearnedField> {
  const field = await load(artifact, options)
  if (state.kind === 'code') field.update(state)
  else if (state.kind === 'pose') field.update(field.skeleton.stateOf(state.pose))
  const frame = state.kind === 'pose' ? state.frame : undefined
  if (!frame) return opened(field, field, 1)
  if (!invertAffine(frame, 0, new Float64Array(16), 0)) {
    throw new UsageError('query: the root has a scale of zero at that time.')
  }
  const world = new TransformedField(field, frame)
  return opened(field, world, world.scale)
}

async function openObject(artifact: ObjectArtifact, state: AskedState, options: NetworkOptions): Promise<LearnedField> {
  const field = await load(artifact, options)
  if (state.kind === 'code') field.update(state)
  // The verb has checked that only bodies of nodes are asked by them.
  if (state.kind === 'nodes') (field as FieldOf<'elastic-body'>).update(state)
  return opened(field, field, 1)
}

/** @param scale  lengths where the field is asked, of one metre of its own */
function opened(field: TrainedField, asked: SignedField, scale: number): LearnedField {
  return {
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
