/** Objects that bend by a few modes, on the command line. */
import type { LoadedObject } from '@pliant/train/unstable'
import { load, type ModesArtifact } from 'pliant'
import { evaluatedPoints, OBJECT_OPTIONS } from '../evaluated-points.js'
import { inspectObject } from '../inspect/object.js'
import { judgeObject } from '../judge-trained.js'
import { openedField } from '../learned-field.js'
import { codeState } from '../state-readers.js'
import { objectReport } from '../train-object.js'
import type { KindCommands } from './kind-commands.js'

export const LINEAR_MODES: KindCommands<ModesArtifact> = {
  one: 'object with modes',
  many: 'objects with modes',
  madeBy: 'pliant train bar',
  inspect: (file) => inspectObject(file),
  trained: (subject, trained, asked) => objectReport(subject as LoadedObject, trained, asked),
  query: {
    states: { code: codeState },
    async open(artifact, state, options) {
      const field = await load(artifact, options)
      if (state.kind === 'code') field.update(state)
      return openedField(field)
    },
    surfaceAt({ model }, state) {
      const positions = new Float64Array(model.rest.length)
      if (state.kind === 'code') model.positions(state.code, positions)
      return positions
    },
  },
  evaluate: {
    options: OBJECT_OPTIONS,
    async judge(file, artifact, options) {
      const { evaluateArtifacts } = await import('@pliant/train/unstable')
      return evaluatedPoints(artifact, await judgeObject(file, artifact, options, evaluateArtifacts), options)
    },
  },
}
