/** A trained artifact at one code, ready to be asked, on the backend that was asked for. */
import { loadField } from 'pliant'
import { loadCharacter } from 'pliant/character'
import type { TrainedFile } from './artifact-file.js'

type Floats = Float32Array | Float64Array

export type Backend = 'simd' | 'ort' | 'scalar'

export interface LearnedField {
  /** What computes. */
  readonly backend: string
  /** Whether the code lies in the range that was trained. */
  readonly inDistribution: boolean
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
  code: Float64Array,
  { backend, threads }: { backend?: Backend; threads?: number },
): Promise<LearnedField> {
  const options = { backend: backend === 'ort' ? ('scalar' as const) : backend, threads }
  const field =
    file.kind === 'character' ? await loadCharacter(file.character, options) : await loadField(file.artifact, options)
  field.pose(code)
  const { inDistribution } = field
  if (backend === 'ort') {
    field.dispose()
    return { inDistribution, ...(await openExported(file.bytes, code, threads)) }
  }
  return {
    backend: field.network.backend,
    inDistribution,
    ask(points, count, distances, gradients) {
      if (gradients) field.gradient(points, count, distances, gradients)
      else field.evaluate(points, count, distances)
    },
    dispose: () => field.dispose(),
  }
}

/** The very file that `pliant export` writes, run by onnxruntime-node. */
async function openExported(
  bytes: Uint8Array,
  code: Float64Array,
  threads: number | undefined,
): Promise<Omit<LearnedField, 'inDistribution'>> {
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
