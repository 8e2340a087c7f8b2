/** What a body with self-contact is, what its code means, and how good it was measured to be. */
import { selfContactTable } from '@pliant/train/unstable/text'
import type { SelfContactArtifact } from 'pliant'
import { formatBytes, formatCount, formatNumber, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'

export function inspectSelfContact({
  path,
  bytes,
  artifact: { manifest },
  parameters,
  multiplications,
}: InspectedFile<SelfContactArtifact>): Report {
  const { code, model, networks, training, quality } = manifest
  const { shape } = networks.distance
  const modes = code.names.map((name, k): [string, string] => {
    const hertz = Math.sqrt(model.eigenvalues[k]) / (2 * Math.PI)
    return [`  ${name}`, `${formatNumber(code.lower[k])} to ${formatNumber(code.upper[k])}, ${formatNumber(hertz)} Hz`]
  })
  const layers = shape.hidden.length > 0 ? `${shape.hidden.join(' x ')} ${shape.activation}` : 'linear'
  const seen = shape.gaps > 0 ? `${formatCount(shape.gaps)} gaps, ${layers}` : layers
  const rows: [string, string][] = [
    ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes)}`],
    ['code', `${code.size} values: ${code.how}`],
    ...modes,
    [
      'body',
      `${formatCount(model.nodes)} nodes, ${formatCount(model.tetrahedra)} tetrahedra, ${formatCount(model.triangles)} triangles outside`,
    ],
    [
      'network',
      `${seen}, ${formatCount(parameters)} parameters, ${formatCount(multiplications)} multiplications a code`,
    ],
    ...(manifest.fault === undefined
      ? []
      : [['bad', `marked when it was trained: ${manifest.fault}`] as [string, string]]),
    [
      'trained',
      `method ${training.method}, seed ${training.seed}, ${formatCount(training.steps)} steps, ${formatCount(training.labels)} labels`,
    ],
    ['rounds', roundsText(model.rounds)],
    ['spec', training.specHash],
  ]
  return {
    json: {
      kind: 'artifact',
      file: path,
      bytes,
      field: manifest.kind,
      name: manifest.name,
      format: manifest.format,
      code,
      model,
      networks,
      network: shape,
      parameters,
      multiplications,
      training,
      quality,
      fault: manifest.fault ?? null,
    },
    text: `${labelled(rows)}\n\n${quality ? selfContactTable(quality) : "Its quality was never measured; run 'pliant evaluate'."}`,
  }
}

function roundsText(rounds: readonly number[]): string {
  const samples = rounds.reduce((sum, count) => sum + count, 0)
  return samples > 0 ? `${formatCount(samples)} samples of ${formatCount(rounds.length)} rounds are kept` : 'none kept'
}
