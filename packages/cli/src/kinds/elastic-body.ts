/** Soft bodies on the command line: posed by their nodes, too, and judged in two materials. */
import type { LoadedObject } from '@pliant/train/unstable'
import { type BodyArtifact, type BodyModel, load } from 'pliant'
import { evaluatedPoints, OBJECT_OPTIONS } from '../evaluated-points.js'
import { formatCount, formatNumber } from '../format.js'
import { inspectObject } from '../inspect/object.js'
import { judgeObject } from '../judge-trained.js'
import { openedField } from '../learned-field.js'
import { codeState, nodesState } from '../state-readers.js'
import { objectReport } from '../train-object.js'
import type { KindCommands } from './kind-commands.js'

export const ELASTIC_BODY: KindCommands<BodyArtifact> = {
  one: 'soft body',
  many: 'soft bodies',
  madeBy: 'pliant train bunny',
  inspect: (file) => inspectObject(file, [['body', bodyText(file.artifact.manifest.model)]]),
  trained: (subject, trained, asked) => objectReport(subject as LoadedObject, trained, asked),
  query: {
    states: {
      code: codeState,
      nodes: (path, { body }, args) => nodesState(path, body.mesh.positions.length / 3, args),
    },
    async open(artifact, state, options) {
      const field = await load(artifact, options)
      if (state.kind !== 'pose') field.update(state)
      return openedField(field)
    },
    surfaceAt({ body }, state) {
      if (state.kind === 'nodes') return state.nodes
      const positions = new Float64Array(body.modal.rest.length)
      if (state.kind === 'code') body.modal.positions(state.code, positions)
      return positions
    },
  },
  evaluate: {
    options: OBJECT_OPTIONS,
    async judge(file, artifact, options) {
      const { evaluateBodies } = await import('@pliant/train/unstable')
      const judged = await judgeObject(file, artifact, options, async (artifacts, judging) => {
        const bodies = await evaluateBodies(artifacts, judging)
        return bodies.map((body) => ({ quality: body.runTime.quality, told: body.runTime.told, body }))
      })
      return evaluatedPoints(artifact, judged, options)
    },
  },
}

function bodyText({ nodes, tetrahedra, triangles, moved }: BodyModel): string {
  const counts = `${formatCount(nodes)} nodes, ${formatCount(tetrahedra)} tetrahedra, ${formatCount(triangles)} triangles outside`
  if (!moved) return counts
  const off = `${formatNumber(moved.mean)} m off it in the mean, ${formatNumber(moved.max)} m at most`
  return `${counts}; they fill a surface, and lie ${off}`
}
