/** What a subject says of its own part of a spec: the field `model`, and which numbers it trains with unless told. */
import type { z } from 'zod'
import type { TrainSpec } from './train-spec.js'

export type Method = TrainSpec['method']

/** What a network may learn of a thing: distances of points to it, or of its codes to self-contact. */
export const LEARNED = ['distance', 'self-contact'] as const
export type Learned = (typeof LEARNED)[number]

export interface SpecModel {
  learn: Learned
  /** The field of `model` that tells it from others, and holds a path or the name of a preset. */
  key: string
  schema: z.ZodObject
  /** What it may be, to say where something else is given. */
  advice?: string
  /** Whether a path or a preset's name alone, in place of an object, is one of these. */
  takes(source: string): boolean
  /** Fields of a spec beside the model that mean anything to it; all of them if not given. */
  fields?: readonly string[]
  /** Fields of `network` that do, and what to say of others. */
  network(method: Method): { fields: readonly string[]; advice: string }
  /** @param model  what the spec says of it */
  defaults(method: Method, model: Readonly<Record<string, unknown>>): Pick<TrainSpec, (typeof FILLED)[number]>
}

/** What each subject has defaults of its own for. */
export const FILLED = ['mix', 'poses', 'pointsPerPose', 'steps', 'learningRate', 'evaluation'] as const

/**
 * Whose model it is.
 * @param models  the first takes any name, each after it some that would else be of one before
 * @param learn   what is learned; if nothing is said, distances, but of what is made for something else
 */
export function modelOf<M extends SpecModel>(models: readonly M[], model: TrainSpec['model'], learn?: Learned): M {
  const able = learn === undefined ? models : models.filter((each) => each.learn === learn)
  const found =
    typeof model === 'string'
      ? ([...able].reverse().find((each) => each.takes(model)) ?? (learn && able[0]))
      : ownOf(able, model, learn)
  if (found) return found
  const told = models.filter((each) => each.learn === (learn ?? 'distance'))
  const keys = told.map(({ key }) => key).join(', ')
  const advised = told.find(({ advice }) => advice)
  if (advised)
    throw new Error(`spec: ${advised.learn} is learned of ${advised.advice}; name it as model.${advised.key}.`)
  throw new Error(`spec: model has none of ${keys}; give one of them.`)
}

/** Models with a key of a spec's; if nothing is said of what is learned, distances, but of what is made for something else. */
export function ownOf<M extends SpecModel>(models: readonly M[], model: object, learn?: Learned): M | undefined {
  const own = models.filter(({ key }) => key in model)
  return own.find((each) => each.learn === (learn ?? 'distance')) ?? (learn === undefined ? own[0] : undefined)
}

/** A model with its name alone, written out. */
export function writtenOut({ key }: SpecModel, model: TrainSpec['model']): Readonly<Record<string, unknown>> {
  return typeof model === 'string' ? { [key]: model } : model
}
