/** All that can be trained, by what a spec calls it. */
import { NamedFiles, type Naming } from '../input/named-files.js'
import { modelOf, writtenOut } from '../spec/spec-model.js'
import { jsonSchemaOf, readSpecOf, type SpecOverrides, type TrainSpec } from '../spec/train-spec.js'
import type { LoadOptions } from '../subjects/training-object.js'
import { BODY } from './body.js'
import { CHARACTER } from './character.js'
import { CHARACTER_CONTACT } from './character-contact.js'
import { MESH } from './mesh.js'
import { SELF_CONTACT } from './self-contact.js'
import { SHAPE_CONTACT } from './shape-contact.js'
import type { LoadedSubject, Subject } from './subject.js'

/** In the order of `modelOf`: meshes take any name, those after them some that would else be a mesh. */
const SUBJECTS: readonly Subject[] = [MESH, BODY, SELF_CONTACT, CHARACTER, CHARACTER_CONTACT, SHAPE_CONTACT]
const MODELS = SUBJECTS.map(({ model }) => model)

/**
 * Reads what to train, checks it and fills in every default.
 * @param source a preset's name, or the text of a JSON spec
 * @throws Error in one line that names the field and what it should be
 */
export function readSpec(source: string, overrides: SpecOverrides = {}): TrainSpec {
  return readSpecOf(MODELS, source, overrides)
}

/** What a spec may say, as a JSON Schema: for editors, and for tests that hold documents and messages to it. */
export function specJsonSchema(): object {
  return jsonSchemaOf(MODELS)
}

/** The model of a spec that a file or a preset alone stands for, with its field's name. */
export function modelOfSource(source: string): Readonly<Record<string, unknown>> {
  return writtenOut(modelOf(MODELS, source), source)
}

/** How to read what a spec names. */
export interface LoadSubjectOptions extends LoadOptions {
  /**
   * What messages call the spec's fields, if nobody wrote a spec: the command line's own.
   * @internal
   */
  naming?: Naming
}

/**
 * Reads what a spec names, which `train` does too: to look at it before, or to tell bad input from a failed run.
 * @param folder what relative paths in the spec refer to
 * @throws Error in one line that names the file and what is wrong with it
 */
export async function loadSubject(
  spec: TrainSpec,
  folder = '.',
  { naming, ...options }: LoadSubjectOptions = {},
): Promise<LoadedSubject> {
  const model = modelOf(MODELS, spec.model, spec.learn)
  const subject = SUBJECTS[MODELS.indexOf(model)]
  return subject.load(spec, writtenOut(model, spec.model), new NamedFiles(folder, naming), options)
}
