/** What a subject says of its own part of a spec: the field `model`, and which numbers it trains with unless told. */
import type { z } from 'zod'
import type { TrainSpec } from './train-spec.js'

export type Method = TrainSpec['method']

export interface SpecModel {
  /** The field of `model` that tells it from others, and holds a path or the name of a preset. */
  key: string
  schema: z.ZodObject
  /** Whether a path or a preset's name alone, in place of an object, is one of these. */
  takes(source: string): boolean
  /** Fields of a spec beside the model that mean anything to it; all of them if not given. */
  fields?: readonly string[]
  /** Fields of `network` that do, and what to say of others. */
  network(method: Method): { fields: readonly string[]; advice: string }
  defaults(method: Method): Pick<TrainSpec, (typeof FILLED)[number]>
}

/** What each subject has defaults of its own for. */
export const FILLED = ['mix', 'poses', 'pointsPerPose', 'steps', 'learningRate', 'evaluation'] as const

/**
 * Whose model it is.
 * @param models  the first takes any name, each after it some that would else be of one before
 */
export function modelOf<M extends SpecModel>(models: readonly M[], model: TrainSpec['model']): M {
  const found =
    typeof model === 'string'
      ? [...models].reverse().find((each) => each.takes(model))
      : models.find(({ key }) => key in model)
  if (!found) throw new Error(`spec: model has none of ${models.map(({ key }) => key).join(', ')}; give one of them.`)
  return found
}

/** A model with its name alone, written out. */
export function writtenOut({ key }: SpecModel, model: TrainSpec['model']): Readonly<Record<string, unknown>> {
  return typeof model === 'string' ? { [key]: model } : model
}
