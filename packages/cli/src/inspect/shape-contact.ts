/** What a space of shapes with self-contact is, what its code means, what counts as contact, and how good it was measured to be. */
import { selfContactTable } from '@pliant/train/unstable/text'
import type { ShapeContactArtifact } from 'pliant'
import { formatBytes, formatCount, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { contactRule, contactUnit, layersOf } from './contact-words.js'

export function inspectShapeContact({
  path,
  bytes,
  artifact: { manifest },
  parameters,
  multiplications,
}: InspectedFile<ShapeContactArtifact>): Report {
  const { code, model, networks, training, quality } = manifest
  const [whole, ...domains] = model.parts
  const rows: [string, string][] = [
    ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes)}`],
    ['surface', `${formatCount(model.vertices)} vertices, ${formatCount(model.triangles)} triangles`],
    ['code', `${code.size} values: ${code.how}`],
    ['  whole', `${whole.codeSize} values`],
    [
      '  domains',
      domains.map(({ vertices, codeSize }) => `${codeSize} values for ${formatCount(vertices)} vertices`).join(', '),
    ],
    ['contact', contactRule(model.neighbours)],
    [
      'network',
      `${layersOf(networks.distance)}, ${formatCount(parameters)} parameters, ${formatCount(multiplications)} multiplications a code`,
    ],
    ['unit', contactUnit(model.metres, networks.distance)],
    ...(manifest.fault === undefined
      ? []
      : [['bad', `marked when it was trained: ${manifest.fault}`] as [string, string]]),
    ['trained', `seed ${training.seed}, ${formatCount(training.steps)} steps, ${formatCount(training.labels)} labels`],
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
      network: networks.distance.shape,
      parameters,
      multiplications,
    },
    text: `${labelled(rows)}\n\n${quality ? selfContactTable(quality) : "Its quality was never measured; run 'pliant evaluate'."}`,
  }
}
