/** Characters on the command line: posed by motions, judged on poses of their skeleton, carried by their own GLB. */
import type { LoadedCharacter } from '@pliant/train/unstable'
import { seenLine } from '@pliant/train/unstable/text'
import { load, TransformedField } from 'pliant'
import type { CharacterArtifact, CharacterManifest } from 'pliant/character'
import { invertAffine } from 'pliant/unstable'
import { UsageError } from '../errors.js'
import { evaluatedPoints, POINT_OPTIONS } from '../evaluated-points.js'
import { inspectCharacter } from '../inspect/character.js'
import { judgeCharacter } from '../judge-character.js'
import { openedField } from '../learned-field.js'
import { requireSameCharacter } from '../same-character.js'
import { codeState, momentState } from '../state-readers.js'
import { characterReport } from '../train-character.js'
import type { KindCommands } from './kind-commands.js'

export const CHARACTER: KindCommands<CharacterArtifact> = {
  one: 'character',
  many: 'characters',
  madeBy: 'pliant train character.glb',
  inspect: inspectCharacter,
  trained: (subject, trained) => characterReport(subject as LoadedCharacter, trained),
  query: {
    states: { code: codeState, motion: (path, { character }, args) => momentState(path, character, args) },
    async open(artifact, state, options) {
      const field = await load(artifact, options)
      if (state.kind === 'code') field.update(state)
      else if (state.kind === 'pose') field.update(field.skeleton.stateOf(state.pose))
      const frame = state.kind === 'pose' ? state.frame : undefined
      if (!frame) return openedField(field)
      if (!invertAffine(frame, 0, new Float64Array(16), 0)) {
        throw new UsageError('query: the root has a scale of zero at that time.')
      }
      const world = new TransformedField(field, frame)
      return openedField(field, world, world.scale)
    },
    surfaceAt({ character }, state) {
      const positions = new Float64Array(3 * character.vertexCount)
      if (state.kind === 'code') character.positions(state.code, positions)
      else if (state.kind === 'pose') character.positionsOfPose(state.pose, positions)
      return positions
    },
  },
  evaluate: {
    options: [...POINT_OPTIONS, 'motion', 'noise', 'rivals'],
    judge: async (file, artifact, options) =>
      evaluatedPoints(
        artifact,
        await judgeCharacter(file, artifact, options),
        options,
        seenWhenTrained(artifact.manifest),
      ),
  },
  gltf: {
    async requireFits(artifact, { path, nodes, readScene }) {
      requireJoints(artifact, nodes, path)
      const scene = await readScene()
      if (scene) await requireSameCharacter(artifact, scene, path)
      return scene ? 'geometry' : 'names'
    },
  },
}

/** The file does not hold the mesh that is seen, only what was measured against it. */
function seenWhenTrained({ model: { surface, height } }: CharacterManifest): string[] {
  return seenLine(surface.seenError, height).map((line) => `when it was trained, ${line}`)
}

function requireJoints({ character }: CharacterArtifact, nodes: readonly string[], into: string): void {
  const { names, belowRoot } = character.skeleton
  const missing = names.find((name, joint) => belowRoot[joint] === 1 && !nodes.includes(name))
  if (missing === undefined) return
  throw new UsageError(`${into} has no joint '${missing}' of the trained character; pass the file it was trained from.`)
}
