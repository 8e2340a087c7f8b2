/** Subject: an elastic body. A network in the frames of its parts, or the paper's of the whole body. */
import type { BodyOfModes } from 'pliant'
import { learnParts } from '../learn/frames/learn-parts.js'
import { learnWhole } from '../learn/learn-whole.js'
import { SIMULATED_STAGES } from '../plan/stages.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { BODY_MODEL, type BodyModel, loadBody } from '../subjects/body.js'
import type { TrainingObject } from '../subjects/training-object.js'
import { type LoadedObject, objectToTrain } from './object.js'
import type { Subject } from './subject.js'

export const BODY: Subject<BodyModel> = {
  model: BODY_MODEL,
  load: async (spec, model, files, options) => bodyToTrain(spec, await loadBody(spec, model, files, options)),
}

/** An elastic body that was made in code: see `elasticObject`. */
export function bodyToTrain(spec: TrainSpec, object: TrainingObject): LoadedObject {
  return objectToTrain(spec, object, {
    kind: 'elastic-body',
    stages: SIMULATED_STAGES,
    // Drops take long, those to train on and those to judge by.
    rehearsed: ['poses', 'judges'],
    learn: (prepared, options) =>
      spec.method === 'pliant'
        ? learnParts(spec, { ...prepared, body: prepared.body as BodyOfModes }, options)
        : learnWhole(spec, prepared, options),
  })
}
