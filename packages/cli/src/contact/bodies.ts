/** Bodies of a scene made from their files: each a field with a box, and points of its surface once it comes near another. */
import { isAbsolute, join } from 'node:path'
import { type Box, boxExpand, boxOfPoints, type SignedField, VoxelField } from 'pliant'
import { type Solid, solidOf } from 'pliant/detect'
import { fieldOf, shapeOf } from 'pliant/shapes'
import { boxDiagonal } from 'pliant/unstable'
import { Arguments } from '../arguments.js'
import { readTrained } from '../artifact-file.js'
import { type AskedState, readAskedState } from '../asked-state.js'
import { asBadInput, stopIfAborted, UsageError } from '../errors.js'
import { formatCount, formatNumber } from '../format.js'
import { commandOf } from '../kinds/index.js'
import { readSurface } from '../surface.js'
import type { Call } from '../verb.js'
import type { SceneBody, Source, TrainedState } from './scene.js'

/** A field, and what is known of it; bodies that are made alike share one. */
export interface Form {
  readonly field: SignedField
  readonly box: Box
  /** How far from the surface the field tells distances [m]. */
  readonly band: number
  /** For `--json`. */
  readonly json: { readonly kind: string } & Readonly<Record<string, unknown>>
  /** The same in words. */
  readonly text: string
  /** What may be wrong with its answers. */
  readonly warnings: readonly string[]
  /** Points of its surface, found when first asked for. */
  solid(): Solid
}

export interface FormedBody extends SceneBody {
  readonly form: Form
}

/**
 * @param folder  of the scene, from which the paths of its files count
 * @throws UsageError in one line naming the body, and what of it is wrong
 */
export async function formBodies(
  path: string,
  folder: string,
  bodies: readonly SceneBody[],
  { signal, progress, unbroken }: Pick<Call, 'signal' | 'progress' | 'unbroken'>,
): Promise<FormedBody[]> {
  const forms = new Map<string, Form>()
  const formed: FormedBody[] = []
  for (const [i, body] of bodies.entries()) {
    stopIfAborted(signal)
    progress.update({ fraction: (0.5 * i) / bodies.length, stage: 'reading bodies', detail: body.name })
    const { source } = body
    const where = `${path}: body '${body.name}'`
    const key = keyOf(source)
    const form = (key && forms.get(key)) || (await unbroken(() => formOf(where, folder, source)))
    if (key) forms.set(key, form)
    formed.push({ ...body, form })
  }
  return formed
}

/** What bodies that are made alike have in common; nothing of what nests too deep to be written, and is refused later. */
function keyOf(source: Source): string | undefined {
  try {
    return JSON.stringify(source)
  } catch {
    return undefined
  }
}

/** All files that bodies are read from. @param folder  of the scene */
export function filesOf(folder: string, bodies: readonly SceneBody[]): string[] {
  return bodies.flatMap(({ source }) => {
    if (source.kind === 'shape') return []
    const { code, nodes, motion } = source.kind === 'trained' ? source.state : {}
    const named = [source.path, code, nodes, motion].filter((path) => typeof path === 'string')
    return named.map((path) => beside(folder, path))
  })
}

/** Where a file is that a scene names. */
function beside(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path)
}

function formOf(where: string, folder: string, source: Source): Promise<Form> {
  if (source.kind === 'shape') return asBadInput(() => ofShape(where, source.shape, source.voxels), where)
  if (source.kind === 'mesh') return ofMesh(where, beside(folder, source.path), source.scale, source.voxels)
  return ofTrained(where, folder, source.path, source.state)
}

function ofShape(where: string, shape: unknown, voxels: number | undefined): Form {
  const field = fieldOf(shapeOf(shape))
  const name = (shape as { shape: string }).shape
  const form = { field, box: field.box, band: Infinity, json: { kind: 'shape', shape: name }, text: name, warnings: [] }
  return voxels === undefined ? withSolid(where, form) : ofGrid(where, form, voxels)
}

async function ofMesh(where: string, path: string, scale: number, voxels: number | undefined): Promise<Form> {
  const { ExactMeshField } = await import('pliant/exact')
  const mesh = await readSurface(path, scale)
  const field = await asBadInput(() => new ExactMeshField(mesh), where)
  const triangles = mesh.triangles.length / 3
  const form = {
    ...{ field, box: boxOfPoints(mesh.positions), band: Infinity },
    json: { kind: 'mesh', file: path, triangles, closed: field.closed },
    text: `${path}, ${formatCount(triangles)} triangles`,
    warnings: field.closed ? [] : [`${path} is open; inside is where its winding number exceeds one half`],
  }
  return voxels === undefined ? withSolid(where, form) : asBadInput(() => ofGrid(where, form, voxels), where)
}

type Unmet = Omit<Form, 'solid'>

/** Cells of a grid that lie beside the body: outside, a grid knows the way to its box only. */
const BESIDE = 2

function ofGrid(where: string, form: Unmet, resolution: number): Form {
  const sides = form.box.lower.map((low, k) => form.box.upper[k] - low)
  if (!sides.every(Number.isFinite)) {
    throw new UsageError(`${where}: voxels of a body without an end; leave 'voxels' out.`)
  }
  const cell = Math.max(...sides) / (resolution - 1 - 2 * BESIDE)
  const field = VoxelField.sample(form.field, boxExpand(form.box, BESIDE * cell), { resolution })
  const nodes = field.size.join(' x ')
  return withSolid(where, {
    ...{ ...form, field },
    json: { ...form.json, kind: 'voxels', of: form.json.kind, nodes: field.size, cell },
    text: `${form.text}, in ${nodes} voxels of ${formatNumber(cell)} m`,
  })
}

async function ofTrained(where: string, folder: string, given: string, state: TrainedState): Promise<Form> {
  const path = beside(folder, given)
  const { artifact } = await readTrained(path)
  const asking = commandOf(path, artifact, 'query', 'contact needs one that answers points')
  const { manifest } = artifact
  const asked = await keysForOptions(where, () => askedState(path, folder, artifact, asking, state))
  const opened = await asking.open(artifact, asked, {})
  const { asked: field, expectedError, trusted } = opened
  const { truncation: band } = manifest as { truncation: number }
  const around = boxOfPoints(asking.surfaceAt(artifact, asked))
  const { fault = null } = manifest
  const warnings = fault === null ? [] : [`${path} was marked as bad when it was trained: ${fault}`]
  if (!trusted)
    warnings.push(
      `${path} expects to be off by ${formatNumber(expectedError)} m at this shape, far more than it was measured to be`,
    )
  return withSolid(where, {
    // The learned surface may lie beside the true one.
    ...{ field, box: boxExpand(around, Math.min(band, 0.1 * boxDiagonal(around))), band, warnings },
    json: { kind: 'learned', file: path, band, expectedError, trusted, fault },
    text: `${path}, learned, expected error ${formatNumber(expectedError)} m`,
  })
}

type Trained = Awaited<ReturnType<typeof readTrained>>['artifact']
type Asking = ReturnType<typeof commandOf<Trained, 'query'>>

async function askedState(
  path: string,
  folder: string,
  artifact: Trained,
  asking: Asking,
  { code, nodes, motion, clip, time }: TrainedState,
): Promise<AskedState> {
  const size = artifact.manifest.code.size
  const isInline = code !== undefined && typeof code !== 'string'
  const options: [string, string | undefined][] = [
    // Its place is held, so that two ways of posing are refused by the one reader.
    ['code', isInline ? 'code' : code && beside(folder, code)],
    ['nodes', nodes && beside(folder, nodes)],
    ['motion', motion && beside(folder, motion)],
    ['clip', clip],
    ['time', time === undefined ? undefined : String(time)],
  ]
  const given = options.filter((option): option is [string, string] => option[1] !== undefined)
  if (!isInline || given.length > 1)
    return readAskedState(path, artifact, asking, new Arguments('query', [], new Map(given)))
  if (code.length === size) return { kind: 'code', code: Float64Array.from(code) }
  throw new UsageError(
    `code has ${code.length} values, ${path} needs ${size}; 'pliant inspect ${path}' describes them.`,
  )
}

/** Readers of `pliant query` name its options; in a scene these are keys of a body. */
async function keysForOptions<T>(where: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const message = error.message.replace(/^query: /, '').replaceAll(/; see 'pliant query --help'/g, '; add it')
    throw new UsageError(`${where}: ${message.replaceAll(/--([a-z]+)/g, "'$1'")}`, { cause: error })
  }
}

function withSolid(where: string, form: Unmet): Form {
  let solid: Solid | undefined
  return {
    ...form,
    solid() {
      try {
        solid ??= solidOf(form.field, form.box, { band: form.band })
      } catch (error) {
        throw new UsageError(`${where}: ${(error as Error).message}`, { cause: error })
      }
      return solid
    },
  }
}
