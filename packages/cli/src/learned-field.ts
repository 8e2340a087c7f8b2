/** A trained artifact at one shape, ready to be asked, on the backend that was asked for. */
import { loadField, type NetworkOptions, type TrainedField } from 'pliant'
import { type CharacterArtifact, invertAffine, loadCharacter, uniformScale } from 'pliant/character'
import type { ArtifactFile, TrainedFile } from './artifact-file.js'
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
  ask(points: Floats, count: number, distances: Floats, gradients: Floats | undefined): Promise<void> | void
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
    file.kind === 'character'
      ? await openCharacter(file.character, state, options)
      : await openObject(file, state, options)
  if (backend === 'ort' && state.kind === 'code') {
    const { expectedError, trusted } = field
    await field.dispose()
    return { expectedError, trusted, ...(await openExported(file.bytes, state.code, threads)) }
  }
  return field
}

type Asked = Pick<TrainedField, 'evaluate' | 'gradient' | 'expectedError'>

async function openCharacter(
  artifact: CharacterArtifact,
  state: AskedState,
  options: NetworkOptions,
): Promise<LearnedField> {
  const field = await loadCharacter(artifact, options)
  if (state.kind === 'code') field.pose(state.code)
  else if (state.kind === 'pose') field.poseSkeleton(state.pose)
  const frame = state.kind === 'pose' ? state.frame : undefined
  return opened(field, frame ? inWorld(field, frame) : field)
}

async function openObject(
  { artifact }: ArtifactFile,
  state: AskedState,
  options: NetworkOptions,
): Promise<LearnedField> {
  const field = await loadField(artifact, options)
  if (state.kind === 'code') field.pose(state.code)
  if (state.kind !== 'nodes' || !artifact.body) return opened(field, field)
  const { ElasticField } = await import('pliant/respond')
  const elastic = new ElasticField(artifact.body.modal, field)
  elastic.follow(state.nodes)
  return opened(field, elastic)
}

function opened(field: TrainedField, asked: Asked): LearnedField {
  return {
    backend: field.network.backend,
    expectedError: asked.expectedError,
    trusted: field.trusted,
    ask(points, count, distances, gradients) {
      if (gradients) asked.gradient(points, count, distances, gradients)
      else asked.evaluate(points, count, distances)
    },
    dispose: () => field.dispose(),
  }
}

/**
 * A field in a frame, asked from the world. Where the frame scales unevenly, distances are exact on the surface and right
 * to first order beside it, as in `CharacterCollider`.
 * @throws UsageError if the frame is flat
 */
function inWorld(field: TrainedField, frame: Float64Array): Asked {
  const inverse = new Float64Array(16)
  if (!invertAffine(frame, 0, inverse, 0)) throw new UsageError('query: the root has a scale of zero at that time.')
  const { scale } = uniformScale(frame)
  const toFrame = (points: Floats, count: number): Float64Array => {
    const local = new Float64Array(3 * count)
    for (let i = 0; i < 3 * count; i += 3) {
      for (let row = 0; row < 3; row++) {
        local[i + row] =
          inverse[row] * points[i] +
          inverse[4 + row] * points[i + 1] +
          inverse[8 + row] * points[i + 2] +
          inverse[12 + row]
      }
    }
    return local
  }
  return {
    expectedError: scale * field.expectedError,
    evaluate(points, count, distances) {
      field.evaluate(toFrame(points, count), count, distances)
      for (let i = 0; i < count; i++) distances[i] *= scale
    },
    gradient(points, count, distances, gradients) {
      field.gradient(toFrame(points, count), count, distances, gradients)
      for (let i = 0; i < count; i++) distances[i] *= scale
      for (let i = 0; i < 3 * count; i += 3) {
        const [x, y, z] = [gradients[i], gradients[i + 1], gradients[i + 2]]
        for (let axis = 0; axis < 3; axis++) {
          gradients[i + axis] = scale * (inverse[4 * axis] * x + inverse[4 * axis + 1] * y + inverse[4 * axis + 2] * z)
        }
      }
    },
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
  const network = await createOrtNetwork(exportArtifactOnnx(bytes), { threads })
  return {
    backend: 'ort',
    ask: (points, count, distances, gradients) =>
      gradients
        ? network.gradient(points, count, code, distances, gradients)
        : network.evaluate(points, count, code, distances),
    dispose: () => network.dispose(),
  }
}
