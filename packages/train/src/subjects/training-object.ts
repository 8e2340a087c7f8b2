/** The object that a spec names: a preset made in code, a mesh file with or without modes, or an elastic body. */
import { resolve } from 'node:path'
import {
  type BodyOfModes,
  boxDiagonal,
  boxOfPoints,
  LinearModes,
  type NeuralFrame,
  type ObjectArtifact,
  type TetMesh,
  type TriangleMesh,
  validateMesh,
} from 'pliant'
import { companionName, type MeshFile, readMeshFile, readNpy, trianglesOf } from 'pliant/files'
import { InputFileError, readCompanion, readInputFile } from '../input/index.js'
import type { OwnThreadOptions } from '../pool/index.js'
import { drawShapes } from '../poses/drawn-shapes.js'
import type { DropReport } from '../poses/drop-poses.js'
import { frameOf } from '../poses/frame.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { findBodyPreset, findPreset } from '../presets/index.js'
import type { ResumableRun } from '../resume/checkpoint.js'
import { type BodyModel, hashSpec, type MeshModel, sourceOfSpec, type TrainSpec } from '../spec/train-spec.js'
import { cleanTetBody } from '../tets/clean-body.js'
import { fillOnThread } from '../tets/fill-on-thread.js'
import type { TetrahedraliseReport } from '../tets/tetrahedralise.js'
import { elasticObject } from './elastic-object.js'

export interface TrainingObject {
  /** At rest. */
  surface: TriangleMesh & { positions: Float64Array }
  /** How a user gets the code. */
  how: string
  specHash: string
  /** What was made of the files otherwise than they say, one line each. */
  warnings?: string[]
  /** Of a surface that was filled with tetrahedra: what became of it. */
  filling?: TetrahedraliseReport
  /** Whether shapes are simulated, to train on and to judge by: that takes long. */
  simulated: boolean
  /** Shapes of a stopped run that it would go on with. @throws BadInput if they are of another run */
  kept?(run: ResumableRun): number
  /** Shapes to train on, and what they settle. */
  prepare(options: PrepareOptions): Promise<PreparedObject>
}

/** Shapes that take long to make can be gone on with, too. */
export interface PrepareOptions extends ResumableRun {
  /** One per core unless told otherwise; shapes are the same for any number. */
  threads?: number
  /** How many shapes; as the spec says if not given. */
  poses?: number
  /** Shapes that are simulated are kept in memory for a run after this one. */
  isRehearsal?: boolean
  signal?: AbortSignal
  onProgress?: (fraction: number, detail: string) => void
  /** Of an elastic body: how far its modes are. */
  onModes?: (fraction: number) => void
  /** Of a run with a budget: whether its share for shapes is used up. */
  timeIsUp?: () => boolean
}

export interface PreparedObject {
  model: LinearModes
  codeNames: string[]
  /** Of an elastic body. */
  body?: BodyOfModes
  sizes: ObjectArtifact['manifest']['model']
  frame: NeuralFrame
  shapes: PosedShapes
  /** What became of the drops that the shapes of an elastic body come from. */
  drops?: DropReport
  /** Shapes that were never trained on, to judge by. */
  judges(options: PrepareOptions): Promise<PosedShapes>
}

/** A surface that is filled with tetrahedra takes a while. */
export interface LoadOptions extends OwnThreadOptions {
  /** After so long no body of more nodes is tried [s]. */
  secondsToFill?: number
}

/** @param folder what relative paths in the spec refer to */
export async function loadTrainingObject(
  spec: TrainSpec,
  folder: string,
  options: LoadOptions = {},
): Promise<TrainingObject> {
  const source = sourceOfSpec(spec.model)
  if ('body' in source) {
    const { mesh, warnings, filling } = await readBody(source, folder, options)
    const moved = filling && {
      mean: (filling.meanDistance / 100) * boxDiagonal(boxOfPoints(mesh.positions)),
      max: (filling.maxDistance / 100) * boxDiagonal(boxOfPoints(mesh.positions)),
    }
    return { ...elasticObject(mesh, spec, { ...source, moved }), warnings, filling }
  }
  const preset = typeof spec.model === 'string' ? findPreset(spec.model) : undefined
  const { model, codeNames, how } = preset
    ? { model: preset.make(), codeNames: preset.codeNames, how: `weights of the modes: ${preset.codeNames.join(', ')}` }
    : await readObject(source, folder)
  const stored = roundToSingle(model)
  requireShapeKept(model, stored, spec.name)
  const bytes = Buffer.concat([stored.rest, stored.modes, stored.triangles].map((array) => Buffer.from(array.buffer)))
  return {
    surface: { positions: stored.rest, triangles: stored.triangles },
    how,
    specHash: hashSpec(spec, bytes),
    simulated: false,
    prepare: async ({ poses = spec.poses }) => ({
      model: stored,
      codeNames,
      sizes: { kind: 'linear-modes', vertices: stored.vertexCount, triangles: stored.triangles.length / 3 },
      frame: frameOf(spec.name, stored, spec),
      shapes: drawShapes(stored, poses, spec.seed, 'train'),
      judges: async (judging) => drawShapes(stored, judging.poses ?? spec.evaluation.poses, spec.seed, 'evaluate'),
    }),
  }
}

/** Tetrahedra from a file or a preset; a closed surface is filled with them. */
async function readBody(
  { body, scale, nodes, selfIntersecting }: BodyModel,
  folder: string,
  options: LoadOptions,
): Promise<{ mesh: TetMesh; warnings?: string[]; filling?: TetrahedraliseReport }> {
  const preset = findBodyPreset(body)
  if (preset) return { mesh: await preset.make() }
  const file = await readMeshAt(folder, body)
  if (file.kind !== 'tetrahedra') {
    const { secondsToFill: seconds = Infinity, ...thread } = options
    const input = { surface: inMetres(trianglesOf(file), scale), options: { nodes, selfIntersecting }, seconds }
    const { mesh, report } = await fillOnThread(input, thread)
    return { mesh, filling: report }
  }
  const { mesh, droppedNodes } = cleanTetBody(inMetres(file.mesh, scale), body)
  return { mesh, warnings: droppedNodes > 0 ? [`${droppedNodes} nodes that no tetrahedron uses are left out`] : [] }
}

/** @param scale metres per unit of the file */
function inMetres<M extends TriangleMesh | TetMesh>(mesh: M, scale = 1): M {
  return scale === 1 ? mesh : { ...mesh, positions: mesh.positions.map((value) => scale * value) }
}

async function readMeshAt(folder: string, path: string): Promise<MeshFile> {
  const bytes = await fromSpec(path, () => readInputFile(resolve(folder, path)))
  // Some formats are two files: TetGen's .node and .ele, a .gltf and its .bin.
  const beside = companionName(path, bytes)
  const companion =
    beside === undefined ? undefined : await fromSpec(beside, () => readCompanion(resolve(folder, path), beside))
  return readMeshFile(path, bytes, { companion })
}

async function readObject(
  source: MeshModel,
  folder: string,
): Promise<{ model: LinearModes; codeNames: string[]; how: string }> {
  const { scale = 1 } = source
  const mesh = inMetres(trianglesOf(await readMeshAt(folder, source.mesh)), scale)
  const issues = validateMesh(mesh)
  const fault = issues.find((issue) => issue.severity === 'error')
  if (fault) throw new Error(`train: ${source.mesh}: ${fault.message}; repair the mesh.`)
  if (issues.some((issue) => issue.kind === 'degenerate-face' && 3 * issue.count === mesh.triangles.length)) {
    throw new Error(`train: ${source.mesh}: all triangles are without area; pass a surface.`)
  }
  const rest = Float64Array.from(mesh.positions)
  const given = source.modes ? await readModes(folder, source.modes, rest.length) : new Float64Array(0)
  const modes = given.map((value) => scale * value)
  const codeSize = modes.length / rest.length
  const range = (stated: number[] | undefined, value: number, field: string): Float64Array => {
    if (stated && stated.length !== codeSize) {
      throw new Error(`spec: model.${field} has ${stated.length} values for ${codeSize} modes; give one per mode.`)
    }
    return stated ? Float64Array.from(stated) : new Float64Array(codeSize).fill(value)
  }
  const { names } = source
  if (names && names.length !== codeSize) {
    throw new Error(`spec: model.names has ${names.length} names for ${codeSize} modes; give one per mode.`)
  }
  const bounds = { lower: range(source.lower, -1, 'lower'), upper: range(source.upper, 1, 'upper') }
  const inverted = bounds.lower.findIndex((low, i) => !(low < bounds.upper[i]))
  if (inverted >= 0) {
    throw new Error(`spec: model.lower[${inverted}] is not below model.upper[${inverted}]; give a range for each mode.`)
  }
  return {
    model: new LinearModes({ rest, modes, triangles: mesh.triangles, bounds }),
    codeNames: Array.from({ length: codeSize }, (_, i) => names?.[i] ?? `mode ${i + 1}`),
    how: codeSize > 0 ? `weights of the ${codeSize} modes of the training spec` : 'a static object: the code is empty',
  }
}

async function readModes(folder: string, path: string, length: number): Promise<Float64Array> {
  const { data, shape } = readNpy(await fromSpec(path, () => readInputFile(resolve(folder, path))))
  if (data.length === 0 || data.length % length !== 0 || shape[0] * length !== data.length) {
    throw new Error(`spec: model.modes has shape [${shape}]; the mesh needs [modes, ${length / 3}, 3].`)
  }
  const values = Float64Array.from(data, Number)
  if (values.some((value) => !Number.isFinite(value))) {
    throw new Error(`spec: model.modes in ${path} has values that are not finite; check how it was made.`)
  }
  return values
}

/** @throws Error that names the path as the spec has it */
async function fromSpec<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof InputFileError)) throw error
    if (error.code !== 'ENOENT') throw new Error(`spec: cannot read ${path}: ${error.problem}`, { cause: error })
    throw new Error(`spec: cannot read ${path} (there is no such file); paths are relative to the spec's folder.`)
  }
}

/** Largest rounding of a vertex, as a share of the diagonal: a fifth of the error that learning leaves on the bar. */
const KEPT = 1e-4

/** @throws Error if single precision cannot hold the shape: it would be learned and judged as steps of its rounding. */
function requireShapeKept(model: LinearModes, stored: LinearModes, name: string): void {
  const diagonal = boxDiagonal(boxOfPoints(model.rest))
  let rounding = 0
  for (let i = 0; i < model.rest.length; i++) rounding = Math.max(rounding, Math.abs(model.rest[i] - stored.rest[i]))
  for (let i = 0; i < model.modes.length; i++) {
    const k = Math.trunc(i / model.rest.length)
    const reach = Math.max(Math.abs(model.bounds.lower[k]), Math.abs(model.bounds.upper[k]))
    rounding = Math.max(rounding, Math.abs(model.modes[i] - stored.modes[i]) * reach)
  }
  if (!(rounding <= KEPT * diagonal)) {
    const share = `${((100 * rounding) / diagonal).toPrecision(2)}% of its size`
    throw new Error(
      `train: single precision, in which shapes are kept, moves ${name} by ${share}; bring it near the origin.`,
    )
  }
}

/** The model as the artifact stores it, so that what is trained and judged is what users get. */
function roundToSingle(model: LinearModes): LinearModes {
  return new LinearModes({
    rest: Float64Array.from(model.rest, Math.fround),
    modes: Float64Array.from(model.modes, Math.fround),
    triangles: model.triangles.slice(),
    bounds: model.bounds,
  })
}
