/** What a trained artifact is, how to get its code, and how good it was measured to be. */

import { qualityTable } from '@pliant/train/text'
import {
  artifactKind,
  decodeArtifact,
  isInParts,
  type Manifest,
  type ObjectNetworkShape,
  objectMultiplications,
} from 'pliant'
import { asBadInput } from '../errors.js'
import { formatBytes, formatCount, formatNumber, formatPoint, labelled } from '../format.js'
import type { Report } from '../output.js'
import { inspectCharacter } from './character.js'

export async function inspectArtifact(path: string, bytes: Uint8Array): Promise<Report> {
  if ((await asBadInput(() => artifactKind(bytes), path)) === 'character') return inspectCharacter(path, bytes)
  const { manifest, network: tensors } = await asBadInput(() => decodeArtifact(bytes), path)
  const { code, network, training, quality, truncation, domain } = manifest
  const parameters = [...tensors.values()].reduce((sum, { length }) => sum + length, 0)
  const codeRows = code.names.map((name, i): [string, string] => [
    `  ${name}`,
    `${formatNumber(code.lower[i])} to ${formatNumber(code.upper[i])}`,
  ])
  const text = [
    labelled([
      ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes.length)}`],
      ['code', `${code.size} values: ${code.how}`],
      ...codeRows,
      [
        'network',
        `${describeNetwork(network)}, ${formatCount(parameters)} parameters, ${formatCount(objectMultiplications(network))} multiplications a query`,
      ],
      ...bodyRows(manifest.model),
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
    bytes: bytes.length,
    field: manifest.kind,
    name: manifest.name,
    format: manifest.format,
    code,
    model: manifest.model,
    network,
    parameters,
    multiplications: objectMultiplications(network),
    domain,
    truncation,
    training,
    quality,
    safetyMargin: quality?.safetyMargin ?? null,
    fault: manifest.fault ?? null,
  }
  return { json, text: text.join('\n\n') }
}

function bodyRows(model: Manifest['model']): [string, string][] {
  if (model.kind !== 'elastic-body') return []
  const { nodes, tetrahedra, triangles, moved } = model
  const counts = `${formatCount(nodes)} nodes, ${formatCount(tetrahedra)} tetrahedra, ${formatCount(triangles)} triangles outside`
  if (!moved) return [['body', counts]]
  const off = `${formatNumber(moved.mean)} m off it in the mean, ${formatNumber(moved.max)} m at most`
  return [['body', `${counts}; they fill a surface, and lie ${off}`]]
}

function describeNetwork(network: ObjectNetworkShape): string {
  if (isInParts(network)) {
    return `${network.bones.length} parts, of which ${network.nearest} answer a point`
  }
  const layers = network.hidden.length > 0 ? network.hidden.join(' x ') : 'linear'
  const grids = [
    network.warp ? 'a posed warp grid' : '',
    network.grids.length > 0 ? `${network.grids.length} feature grids` : '',
  ]
  return [`${layers} ${network.activation}`, ...grids].filter((part) => part !== '').join(', ')
}
