/** What a trained object or soft body is, how to get its code, and how good it was measured to be. */
import { qualityTable } from '@pliant/train/unstable/text'
import type { ObjectArtifact } from 'pliant'
import { formatBytes, formatCount, formatNumber, formatPoint, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { qualityJson } from '../quality-json.js'

/** @param rows  what its kind has to say beside */
export function inspectObject(
  { path, bytes, artifact: { manifest }, parameters, multiplications }: InspectedFile<ObjectArtifact>,
  rows: readonly [string, string][] = [],
): Report {
  const { code, networks, training, quality, truncation } = manifest
  const network = networks.distance
  const { domain } = network
  const codeRows = code.names.map((name, i): [string, string] => [
    `  ${name}`,
    `${formatNumber(code.lower[i])} to ${formatNumber(code.upper[i])}`,
  ])
  const text = [
    labelled([
      ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes)}`],
      ['code', `${code.size} values: ${code.how}`],
      ...codeRows,
      [
        'network',
        `${describeNetwork(network)}, ${formatCount(parameters)} parameters, ${formatCount(multiplications)} multiplications a query`,
      ],
      ...rows,
      ['domain', `${formatPoint(domain.lower)} to ${formatPoint(domain.upper)} m`],
      ['truncation', `${formatNumber(truncation)} m: beyond it only the sign and "at least so far" hold`],
      ...(manifest.fault === undefined
        ? []
        : [['bad', `marked when it was trained: ${manifest.fault}`] as [string, string]]),
      ['safety margin', quality ? `${formatNumber(quality.safetyMargin)} m` : 'not measured'],
      ['trained', `method ${training.method}, seed ${training.seed}, ${formatCount(training.steps)} steps`],
      ['spec', training.specHash],
    ]),
    quality ? qualityTable(quality) : "Its quality was never measured; run 'pliant evaluate'.",
  ]
  const json = {
    kind: 'artifact',
    file: path,
    bytes,
    field: manifest.kind,
    name: manifest.name,
    format: manifest.format,
    code,
    model: manifest.model,
    networks,
    network: network.shape,
    parameters,
    multiplications,
    domain,
    truncation,
    training,
    quality: quality && qualityJson(quality),
    safetyMargin: quality?.safetyMargin ?? null,
    fault: manifest.fault ?? null,
  }
  return { json, text: text.join('\n\n') }
}

function describeNetwork({ kind, shape }: ObjectArtifact['manifest']['networks']['distance']): string {
  if (kind === 'parts') return `${shape.bones.length} parts, of which ${shape.nearest} answer a point`
  const layers = shape.hidden.length > 0 ? shape.hidden.join(' x ') : 'linear'
  const grids = [
    shape.warp ? 'a posed warp grid' : '',
    shape.grids.length > 0 ? `${shape.grids.length} feature grids` : '',
  ]
  return [`${layers} ${shape.activation}`, ...grids].filter((part) => part !== '').join(', ')
}
