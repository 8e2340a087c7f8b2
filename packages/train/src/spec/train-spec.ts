/**
 * What to train, as a JSON file: the object, the method, the numbers. Every field but the model has a default, and the
 * filled-in spec is what gets hashed into the artifact, so that the same spec and seed rebuild the same bytes.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { listPresets } from '../presets/index.js'
import { type FILLED, LEARNED, type Learned, modelOf, ownOf, type SpecModel, writtenOut } from './spec-model.js'

/** A whole number in a range, of a spec. */
export const count = (least: number, most: number) => {
  const error = `should be a whole number from ${least} to ${most}`
  return z.number({ error }).int(error).min(least, error).max(most, error)
}
const share = z.number().min(0).max(1)

const networkSchema = z
  .strictObject({
    /** Widths of the hidden layers. */
    hidden: z.array(count(1, 1024)).min(1).max(16).optional(),
    activation: z.enum(['relu', 'silu', 'tanh', 'elu', 'softplus']).optional(),
    /** How many coefficients the code is turned into ('pliant' only). */
    coefficients: count(1, 128).optional(),
    /** How many of them also blend the dense layers ('pliant' only). */
    blendedLayers: count(0, 128).optional(),
    /** Nodes along the longest side, and channels, of the posed warp grid ('pliant' only). */
    warp: z.strictObject({ resolution: count(2, 64), channels: count(3, 32) }).optional(),
    /** Nodes along the longest side, and channels, of each static feature grid ('pliant' only). */
    grids: z
      .array(z.strictObject({ resolution: count(2, 128), channels: count(1, 16) }))
      .max(8)
      .optional(),
    /** Parts that an elastic body is cut into, each with a frame of its own ('pliant' only). */
    parts: count(1, 255).optional(),
    /** Of an elastic body or a character: nodes along a side of each part's grid, on the average ('pliant' only). */
    resolution: count(4, 64).optional(),
    /** Of self-contact: pairs of points whose gaps are seen beside the code ('pliant' only). */
    gaps: count(0, 1024).optional(),
  })
  .prefault({})

/** All fields but the model, which subjects have. */
const FIELDS = {
  name: z.string().min(1).max(100).optional(),
  /** What is learned: distances of points (default), or how far codes are from self-contact. */
  learn: z.enum(LEARNED).optional(),
  /** 'pliant': posed grids and a small head; 'paper': Zesch et al., 8 x 128 ReLU on point and code. */
  method: z.enum(['pliant', 'paper']).default('pliant'),
  seed: count(0, 2 ** 32 - 1).default(1),
  /** Codes to train on, and labelled points of each. */
  poses: count(1, 10_000_000).optional(),
  pointsPerPose: count(16, 100_000).optional(),
  /** Shares of points on the surface, near it and anywhere; scaled to sum to one. */
  mix: z.strictObject({ surface: share, near: share, uniform: share }).optional(),
  /** Spread of the near points, as a share of the normalised half-size. */
  nearSigma: z.number().positive().max(1).default(0.03),
  /** Distances are learned up to this share of the normalised half-size. */
  truncation: z.number().positive().max(0.5).default(0.1),
  steps: count(1, 10_000_000).optional(),
  posesPerBatch: count(1, 1024).default(16),
  pointsPerBatchPose: count(1, 65_536).default(256),
  learningRate: z.number().positive().max(1).optional(),
  network: networkSchema,
  /** Unseen poses, and points of each, that the quality in the artifact is measured on. */
  evaluation: z.strictObject({ poses: count(1, 1_000_000), points: count(10, 100_000) }).optional(),
}

function schemaOf(models: readonly SpecModel[]) {
  const forms = models.map(({ schema }) => `{ ${Object.keys(schema.shape).join(', ')} }`)
  const last = forms.pop()
  const model = z.union([z.string().min(1), ...models.map(({ schema }) => schema)], {
    error: `should be a preset's name, a mesh file, ${forms.join(', ')}, or ${last}`,
  })
  return z.strictObject({ model, ...FIELDS })
}

type ParsedSpec = z.infer<ReturnType<typeof schemaOf>>

/** What a spec may say, as a JSON Schema: for editors, and for tests that hold documents and messages to it. */
export function jsonSchemaOf(models: readonly SpecModel[]): object {
  return z.toJSONSchema(schemaOf(models), { io: 'input' })
}

/** A spec with every default filled in. */
export interface TrainSpec extends Omit<ParsedSpec, 'model' | 'name' | (typeof FILLED)[number]> {
  /** A preset's name, a file, or an object as its subject says. */
  model: string | Readonly<Record<string, unknown>>
  /** What the object is called. */
  name: string
  /** Codes to train on. */
  poses: number
  /** Labelled points of each; a count. */
  pointsPerPose: number
  /** Shares of points on the surface, near it and anywhere; they sum to one. */
  mix: { surface: number; near: number; uniform: number }
  /** Steps of learning. */
  steps: number
  /** What the learning rate begins with. */
  learningRate: number
  /** Poses and points of each that the quality in the file is measured on. */
  evaluation: { poses: number; points: number }
}

/**
 * What each method trains with unless told otherwise. The paper's: 2 : 2 : 1 samples and a constant 1e-4 (Zesch et
 * al. section 4). Ours has few points on the surface: zero labels swamp thin creases.
 */
export const METHOD_DEFAULTS = {
  pliant: {
    mix: { surface: 0.2, near: 0.6, uniform: 0.2 },
    poses: 600,
    pointsPerPose: 2000,
    steps: 4000,
    learningRate: 1e-2,
  },
  paper: {
    mix: { surface: 0.4, near: 0.4, uniform: 0.2 },
    poses: 600,
    pointsPerPose: 2000,
    steps: 20_000,
    learningRate: 1e-4,
  },
} as const

/** Unseen poses, and points of each, that objects are judged on. */
export const EVALUATION = { poses: 50, points: 2000 } as const

/** Fields of `network` for one network of a whole object, whichever way it is learned. */
export const WHOLE_NETWORK = {
  fields: Object.keys(networkSchema.def.innerType.shape).filter((field) => !/^(parts|resolution|gaps)$/.test(field)),
  advice: 'only an elastic body is cut into parts',
}

/** What may be said beside a spec. */
export type SpecOverrides = Partial<Pick<TrainSpec, 'seed' | 'method' | 'poses' | 'steps' | 'learn'>>

/**
 * Reads what to train, checks it and fills in every default.
 * @param models  of all subjects, in the order of `modelOf`
 * @param source  a preset's name, or the text of a JSON spec
 * @throws Error in one line that names the field and what it should be
 */
export function readSpecOf(models: readonly SpecModel[], source: string, overrides: SpecOverrides = {}): TrainSpec {
  const preset = listPresets().find(({ name }) => name === source.trim())
  const value = preset ? { model: preset.name } : parseJson(source)
  const said = Object.fromEntries(Object.entries(overrides).filter(([, field]) => field !== undefined))
  const whole = isRecord(value) ? { ...value, ...said } : value
  const parsed = schemaOf(models).safeParse(whole)
  // Also of a spec that will do: its model may have taken the form of another.
  const wrong = inOwnModel(models, whole) ?? parsed.error
  if (wrong || !parsed.success) throw new Error(describe(wrong!))
  const spec = parsed.data
  const model = modelOf(models, spec.model, spec.learn)
  requireOwnFields(value as object, spec, model)
  const defaults = model.defaults(spec.method, writtenOut(model, spec.model))
  const mix = spec.mix ?? defaults.mix
  const total = mix.surface + mix.near + mix.uniform
  if (!(total > 0)) throw new Error('spec: mix is all zero; give at least one positive share.')
  return {
    ...spec,
    name: spec.name ?? nameOfFile(String(writtenOut(model, spec.model)[model.key])),
    mix: { surface: mix.surface / total, near: mix.near / total, uniform: mix.uniform / total },
    poses: spec.poses ?? defaults.poses,
    pointsPerPose: spec.pointsPerPose ?? defaults.pointsPerPose,
    steps: spec.steps ?? defaults.steps,
    learningRate: spec.learningRate ?? defaults.learningRate,
    evaluation: spec.evaluation ?? { ...defaults.evaluation },
  }
}

/** What a subject makes nothing of is refused: it would be taken for heeded. */
function requireOwnFields(said: object, { method, network }: ParsedSpec, model: SpecModel): void {
  const taken = model.fields && ['model', ...model.fields]
  const foreign = taken && Object.keys(said).find((field) => !taken.includes(field))
  if (foreign !== undefined) {
    throw new Error(`spec: ${foreign} does not go with model.${model.key}; it takes ${model.fields?.join(', ')}.`)
  }
  const { fields, advice } = model.network(method)
  const wrong = Object.keys(network).find((field) => !fields.includes(field))
  if (wrong !== undefined) throw new Error(`spec: network.${wrong} does not go with this object; ${advice}.`)
}

/** SHA-256 of the filled-in spec and of the object itself, so that an edited mesh changes the hash too. */
export function hashSpec(spec: TrainSpec, objectBytes: Uint8Array): string {
  const { seed: _, ...rest } = spec
  return createHash('sha256').update(canonical(rest)).update(objectBytes).digest('hex').slice(0, 32)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (/^[\w.-]+$/.test(text.trim())) {
      const known = listPresets()
        .map(({ name }) => name)
        .join(', ')
      throw new Error(`spec: no preset is called '${text.trim()}'; take one of: ${known}, or give a spec file.`)
    }
    throw new Error(`spec: not JSON (${(error as Error).message}); see docs/spec.md for an example.`)
  }
}

/** What is wrong with a model whose key tells whose it is: one field of that, instead of every form that a model may have. */
function inOwnModel(models: readonly SpecModel[], spec: unknown): z.ZodError | undefined {
  if (!isRecord(spec) || !isRecord(spec['model'])) return undefined
  const { model, learn } = spec as { model: Record<string, unknown>; learn?: Learned }
  const own = ownOf(models, model, learn)
  // With the keys of two it is nobody's in particular.
  if (!own || models.some((each) => each.learn === own.learn && each.key !== own.key && each.key in model))
    return undefined
  return z.object({ model: own.schema }).safeParse(spec).error
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0]
  const path = issue.path.join('.') || 'the spec'
  return `spec: ${path}: ${issue.message}; see docs/spec.md for every field.`
}

function nameOfFile(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '') || 'object'
}

/** JSON with sorted keys: the same spec in another order has the same hash. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    entry && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  )
}
