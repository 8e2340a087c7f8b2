/** What a character with self-contact is, what its code means, what counts as contact, and how good it was measured to be. */
import { selfContactTable } from '@pliant/train/unstable/text'
import type { CharacterContactArtifact } from 'pliant/character'
import { formatBytes, formatCount, formatNumber, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { contactRule, contactUnit, layersOf } from './contact-words.js'

export function inspectCharacterContact({
  path,
  bytes,
  artifact: { manifest },
  parameters,
  multiplications,
}: InspectedFile<CharacterContactArtifact>): Report {
  const { code, model, networks, training, quality } = manifest
  const { surface, skeleton, heldOut, height, neighbours } = model
  const { shape } = networks.distance
  const rows: [string, string][] = [
    ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes)}`],
    ['height', `${formatNumber(height)} m`],
    ['surface', `${formatCount(surface.vertices)} vertices, ${formatCount(surface.triangles)} triangles`],
    ['skeleton', `${skeleton.names.length} joints, root '${skeleton.names[skeleton.root]}'`],
    ['code', `${code.size} values: ${code.how}`],
    ['  entries', code.names.join(', ')],
    ['contact', contactRule(neighbours, 'joined bones, ')],
    [
      'network',
      `${layersOf(networks.distance)}, ${formatCount(parameters)} parameters, ${formatCount(multiplications)} multiplications a code`,
    ],
    ['unit', contactUnit(model.metres, networks.distance)],
    ...(manifest.fault === undefined
      ? []
      : [['bad', `marked when it was trained: ${manifest.fault}`] as [string, string]]),
    [
      'trained on',
      `${model.clips.map(({ name }) => name).join(', ')}; seed ${training.seed}, ${formatCount(training.steps)} steps, ${formatCount(training.labels)} labels`,
    ],
    ['evaluated on', heldOut.clips.length > 0 ? heldOut.clips.join(', ') : 'frames of its clips that were left out'],
    ['spec', training.specHash],
  ]
  return {
    json: {
      file: path,
      bytes,
      fault: null,
      ...manifest,
      kind: 'artifact',
      field: manifest.kind,
      network: shape,
      parameters,
      multiplications,
    },
    text: `${labelled(rows)}\n\n${quality ? selfContactTable(quality) : "Its quality was never measured; run 'pliant evaluate'."}`,
  }
}
