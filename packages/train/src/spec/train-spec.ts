/**
 * What to train, as a JSON file: the object, the method, the numbers. Every field but the model has a default, and the
 * filled-in spec is what gets hashed into the artifact, so that the same spec and seed rebuild the same bytes.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findBodyPreset, findPreset, listPresets } from '../presets/index.js'

const count = (least: number, most: number) => z.number().int().min(least).max(most)
const share = z.number().min(0).max(1)
/** Metres per unit of the file: 0.001 for millimetres. */
const scale = z.number().positive().optional()

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
    /** Nodes along a side of each part's grid, on the average ('pliant' only). */
    resolution: count(4, 64).optional(),
  })
  .prefault({})

const modelSchema = z.union(
  [
    z.string().min(1),
    z.strictObject({
      /** A closed mesh: OBJ, PLY, STL, OFF, GLB. */
      mesh: z.string().min(1),
      /** Of mesh and modes alike. */
      scale,
      /** Displacement fields, a .npy of shape [modes, vertices, 3] or [modes, 3 * vertices]; none: a static object. */
      modes: z.string().min(1).optional(),
      /** Range of each code entry; -1 to 1 if not given. */
      lower: z.array(z.number()).optional(),
      upper: z.array(z.number()).optional(),
      names: z.array(z.string()).optional(),
    }),
    z.strictObject({
      /** An elastic body: a file of tetrahedra, or a closed surface, which is filled with them. */
      body: z.string().min(1),
      scale,
      /** Tetrahedra's nodes to aim for, of a surface. */
      nodes: count(30, 200_000).optional(),
      /** What to do with a surface that passes through itself: refuse it (default), or fill all that it winds round. */
      selfIntersecting: z.enum(['refuse', 'fill']).optional(),
      /** Modes in the code. */
      modes: count(1, 1024).optional(),
      /** Where modes come from: the training poses, or the body's vibrations as in the paper. */
      basis: z.enum(['poses', 'vibrations']).optional(),
      /** How nodes count in the code: by mass, or all alike as in Eq. 1 of the paper. */
      weighting: z.enum(['mass', 'plain']).optional(),
    }),
  ],
  {
    error:
      "should be a preset's name, a mesh file, { mesh, modes, lower, upper, names, scale }, or { body, nodes, selfIntersecting, modes, basis, weighting, scale }",
  },
)

const specSchema = z.strictObject({
  /** A preset's name, a mesh file, or a mesh with modes. */
  model: modelSchema,
  name: z.string().min(1).max(100).optional(),
  /** 'pliant': posed grids and a small head; 'paper': Zesch et al., 8 x 128 ReLU on point and code. */
  method: z.enum(['pliant', 'paper']).default('pliant'),
  seed: count(0, 2 ** 32 - 1).default(1),
  /** Codes to train on, and labelled points of each. */
  poses: count(1, 100_000).optional(),
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
  /** Unseen codes, and points of each, that the quality in the artifact is measured on. */
  evaluation: z
    .strictObject({ poses: count(1, 10_000), points: count(10, 100_000) })
    .default({ poses: 50, points: 2000 }),
})

type ParsedSpec = z.infer<typeof specSchema>

/** What a spec may say, as a JSON Schema: for editors, and for tests that hold documents and messages to it. */
export function specJsonSchema(): object {
  return z.toJSONSchema(specSchema, { io: 'input' })
}

/** A spec with every default filled in. */
export interface TrainSpec extends Omit<ParsedSpec, 'name' | 'mix' | keyof (typeof METHOD_DEFAULTS)['paper']> {
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

/** Where elastic bodies depart from that: the paper's own numbers, and more poses of fewer points (algorithms.md 8.5). */
const BODY_DEFAULTS = {
  pliant: { poses: 1500, pointsPerPose: 2000, steps: 6000 },
  paper: { poses: 1000, pointsPerPose: 10_000, steps: 60_000 },
} as const

/** What may be said beside a spec. */
export type SpecOverrides = Partial<Pick<TrainSpec, 'seed' | 'method' | 'poses' | 'steps'>>

/**
 * Reads what to train, checks it and fills in every default.
 * @param source a preset's name, or the text of a JSON spec
 * @throws Error in one line that names the field and what it should be
 */
export function readSpec(source: string, overrides: SpecOverrides = {}): TrainSpec {
  const preset = findPreset(source.trim()) ?? findBodyPreset(source.trim())
  const value = preset ? { model: preset.name } : parseJson(source)
  const said = Object.fromEntries(Object.entries(overrides).filter(([, field]) => field !== undefined))
  const parsed = specSchema.safeParse(isRecord(value) ? { ...value, ...said } : value)
  if (!parsed.success) throw new Error(describe(parsed.error))
  const spec = parsed.data
  const defaults = {
    ...METHOD_DEFAULTS[spec.method],
    ...('body' in sourceOfSpec(spec.model) ? BODY_DEFAULTS[spec.method] : {}),
  }
  requireOwnNetwork(spec)
  const mix = spec.mix ?? defaults.mix
  const total = mix.surface + mix.near + mix.uniform
  if (!(total > 0)) throw new Error('spec: mix is all zero; give at least one positive share.')
  return {
    ...spec,
    name: spec.name ?? nameOfModel(spec.model),
    mix: { surface: mix.surface / total, near: mix.near / total, uniform: mix.uniform / total },
    poses: spec.poses ?? defaults.poses,
    pointsPerPose: spec.pointsPerPose ?? defaults.pointsPerPose,
    steps: spec.steps ?? defaults.steps,
    learningRate: spec.learningRate ?? defaults.learningRate,
  }
}

/** A body's network is in parts and takes nothing of the others; theirs takes nothing of it. */
function requireOwnNetwork({ model, method, network }: ParsedSpec): void {
  const inParts = 'body' in sourceOfSpec(model) && method === 'pliant'
  const wrong = Object.keys(network).find((key) => PARTS_KEYS.includes(key) !== inParts)
  if (wrong === undefined) return
  const takes = inParts ? `an elastic body takes ${PARTS_KEYS.join(' and ')}` : 'only an elastic body is cut into parts'
  throw new Error(`spec: network.${wrong} does not go with this object; ${takes}.`)
}
const PARTS_KEYS = ['parts', 'resolution']

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

function describe(error: z.ZodError): string {
  const issue = error.issues[0]
  const path = issue.path.join('.') || 'the spec'
  return `spec: ${path}: ${issue.message}; see docs/spec.md for every field.`
}

export type MeshModel = Extract<ParsedSpec['model'], { mesh: string }>
export type BodyModel = Extract<ParsedSpec['model'], { body: string }>

const TETRAHEDRA_FILE = /\.(msh|mesh|node|ele)$/i

/** The elastic body or mesh that a spec names: files of tetrahedra are bodies unless they are called a mesh. */
export function sourceOfSpec(model: ParsedSpec['model']): BodyModel | MeshModel {
  if (typeof model !== 'string') return model
  return findBodyPreset(model) || TETRAHEDRA_FILE.test(model) ? { body: model } : { mesh: model }
}

function nameOfModel(model: ParsedSpec['model']): string {
  const source = sourceOfSpec(model)
  const path = 'body' in source ? source.body : source.mesh
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
