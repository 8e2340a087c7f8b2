/** `--mesh OUT.obj`: shapes at codes as mesh files, a series where there are several codes. */
import type { ReducedModel } from 'pliant'
import { writeObj, writePly, writeStl } from 'pliant/files'
import { UsageError } from './errors.js'
import type { OutputFile } from './files.js'

const WRITERS = { '.obj': writeObj, '.ply': writePly, '.stl': writeStl } as const
type Ending = keyof typeof WRITERS

/** Meshes that one call writes: they are held in memory until all are there. */
const MOST_MESHES = 256

/**
 * @param path   as it was typed
 * @param count  of codes
 * @returns the path itself for one, else `out-1.obj`, `out-2.obj` ...
 * @throws UsageError if it is of no kind that can be written, or there are too many
 */
export function meshPaths(path: string, count: number): string[] {
  const ending = endingOf(path)
  if (count === 1) return [path]
  if (count > MOST_MESHES) {
    throw new UsageError(
      `repair: --mesh would write ${count} files; pass at most ${MOST_MESHES} codes, or leave --mesh out.`,
    )
  }
  const stem = path.slice(0, -ending.length)
  return Array.from({ length: count }, (_, i) => `${stem}-${i + 1}${path.slice(-ending.length)}`)
}

/**
 * @param codes     one after the other
 * @param comments  for each, what its file says of it
 */
export function meshFiles(
  paths: readonly string[],
  model: ReducedModel,
  codes: Float32Array | Float64Array,
  comments: readonly string[],
): OutputFile[] {
  const { codeSize, vertexCount, triangles } = model
  return paths.map((path, i) => {
    const positions = new Float64Array(3 * vertexCount)
    model.positions(codes.subarray(i * codeSize, (i + 1) * codeSize), positions)
    return { path, bytes: WRITERS[endingOf(path)]({ positions, triangles }, comments[i]) }
  })
}

function endingOf(path: string): Ending {
  const ending = Object.keys(WRITERS).find((one) => path.toLowerCase().endsWith(one))
  if (ending) return ending as Ending
  throw new UsageError(`repair: ${path} is none of ${Object.keys(WRITERS).join(', ')}; name --mesh as one.`)
}
