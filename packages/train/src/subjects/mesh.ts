/** A mesh, with or without modes: an object whose shapes are drawn from the range of its code. */

import { boxOfPoints, LinearModes, validateMesh } from 'pliant'
import { readNpy, trianglesOf } from 'pliant/files'
import { boxDiagonal } from 'pliant/unstable'
import { z } from 'zod'
import type { NamedFiles } from '../input/named-files.js'
import { drawShapes } from '../poses/drawn-shapes.js'
import { frameOf } from '../poses/frame.js'
import { findPreset } from '../presets/index.js'
import type { SpecModel } from '../spec/spec-model.js'
import { EVALUATION, hashSpec, METHOD_DEFAULTS, type TrainSpec, WHOLE_NETWORK } from '../spec/train-spec.js'
import { inMetres, scale } from './in-metres.js'
import type { TrainingObject } from './training-object.js'

const schema = z.strictObject({
  /** A closed mesh: OBJ, PLY, STL, OFF, GLB. */
  mesh: z.string().min(1),
  /** Displacement fields, a .npy of shape [modes, vertices, 3] or [modes, 3 * vertices]; none: a static object. */
  modes: z.string().min(1).optional(),
  /** Range of each code entry; -1 to 1 if not given. */
  lower: z.array(z.number()).optional(),
  upper: z.array(z.number()).optional(),
  names: z.array(z.string()).optional(),
  /** Of mesh and modes alike. */
  scale,
})

export type MeshModel = z.infer<typeof schema>

export const MESH_MODEL: SpecModel = {
  learn: 'distance',
  key: 'mesh',
  schema,
  takes: () => true,
  network: () => WHOLE_NETWORK,
  defaults: (method) => ({ ...METHOD_DEFAULTS[method], evaluation: EVALUATION }),
}

/** @throws Error in one line if the mesh or its modes cannot be read or trained on */
export async function loadMesh(spec: TrainSpec, source: MeshModel, files: NamedFiles): Promise<TrainingObject> {
  const preset = typeof spec.model === 'string' ? findPreset(spec.model) : undefined
  const { model, codeNames, how } = preset
    ? { model: preset.make(), codeNames: preset.codeNames, how: `weights of the modes: ${preset.codeNames.join(', ')}` }
    : await readObject(source, files)
  const stored = roundToSingle(model)
  requireShapeKept(model, stored, spec.name)
  const bytes = Buffer.concat([stored.rest, stored.modes, stored.triangles].map((array) => Buffer.from(array.buffer)))
  return {
    surface: { positions: stored.rest, triangles: stored.triangles },
    how,
    specHash: hashSpec(spec, bytes),
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

async function readObject(
  source: MeshModel,
  files: NamedFiles,
): Promise<{ model: LinearModes; codeNames: string[]; how: string }> {
  const mesh = inMetres(trianglesOf(await files.mesh(source.mesh)), source.scale)
  const issues = validateMesh(mesh)
  const fault = issues.find((issue) => issue.severity === 'error')
  if (fault) throw new Error(`train: ${source.mesh}: ${fault.message}; repair the mesh.`)
  if (issues.some((issue) => issue.kind === 'degenerate-face' && 3 * issue.count === mesh.triangles.length)) {
    throw new Error(`train: ${source.mesh}: all triangles are without area; pass a surface.`)
  }
  const rest = Float64Array.from(mesh.positions)
  const given = source.modes ? await readModes(files, source.modes, rest.length) : new Float64Array(0)
  const { scale: metres = 1 } = source
  const modes = given.map((value) => metres * value)
  const codeSize = modes.length / rest.length
  const range = (given: number[] | undefined, value: number, field: string): Float64Array => {
    if (given && given.length !== codeSize) {
      throw new Error(`spec: model.${field} has ${given.length} values for ${codeSize} modes; give one per mode.`)
    }
    return given ? Float64Array.from(given) : new Float64Array(codeSize).fill(value)
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

async function readModes(files: NamedFiles, path: string, length: number): Promise<Float64Array> {
  const { data, shape } = readNpy(await files.bytes(path))
  if (data.length === 0 || data.length % length !== 0 || shape[0] * length !== data.length) {
    throw new Error(`spec: model.modes has shape [${shape}]; the mesh needs [modes, ${length / 3}, 3].`)
  }
  const values = Float64Array.from(data, Number)
  if (values.some((value) => !Number.isFinite(value))) {
    throw new Error(`spec: model.modes in ${path} has values that are not finite; check how it was made.`)
  }
  return values
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
