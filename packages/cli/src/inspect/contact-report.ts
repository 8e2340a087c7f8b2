/** What is said of files that tell self-contact, whether of joint angles or of learned codes. */
import { selfContactTable } from '@pliant/train/unstable/text'
import type { ShapeContactArtifact, ShapeContactNetwork } from 'pliant'
import type { CharacterContactArtifact, CharacterContactNetwork } from 'pliant/character'
import { formatBytes, formatCount, formatNumber, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'

type ContactNetwork = CharacterContactNetwork | ShapeContactNetwork
type Row = [string, string]

/** What differs from kind to kind. */
export interface ContactWords {
  /** Of the shape. */
  shape: Row[]
  /** Of its code. */
  code: Row[]
  /** What else does not count as contact. */
  but?: string
  /** What it was trained on, if there is more to say than seed, steps and labels. */
  trainedOn?: string
  /** What it was judged on. */
  judged?: Row[]
}

export function contactReport(
  {
    path,
    bytes,
    artifact: { manifest },
    parameters,
    multiplications,
  }: InspectedFile<CharacterContactArtifact> | InspectedFile<ShapeContactArtifact>,
  { shape, code, but, trainedOn, judged = [] }: ContactWords,
): Report {
  const { model, networks, training, quality, fault } = manifest
  const how = `seed ${training.seed}, ${formatCount(training.steps)} steps, ${formatCount(training.labels)} labels`
  const bad: Row[] = fault === undefined ? [] : [['bad', `marked when it was trained: ${fault}`]]
  const rows: Row[] = [
    ['file', `${path}: a trained artifact, ${manifest.kind} of '${manifest.name}', ${formatBytes(bytes)}`],
    ...shape,
    ['code', `${manifest.code.size} values: ${manifest.code.how}`],
    ...code,
    ['contact', contactRule(model.neighbours, but)],
    [
      'network',
      `${layersOf(networks.distance)}, ${formatCount(parameters)} parameters, ${formatCount(multiplications)} multiplications a code`,
    ],
    ['unit', contactUnit(model.metres, networks.distance)],
    ...bad,
    trainedOn === undefined ? ['trained', how] : ['trained on', `${trainedOn}; ${how}`],
    ...judged,
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

/** @param but  what else does not count */
function contactRule({ along, near }: { along: number; near: number }, but = ''): string {
  return `counts but for ${but}ways along the surface below ${percent(along)} of the diagonal, and what is nearer than ${percent(near)} of it at rest`
}

function contactUnit(metres: number, { kind }: ContactNetwork): string {
  return `a distance of 1 is ${formatNumber(metres)} m of ${kind === 'collision-state' ? 'depth' : 'clearance'}, about`
}

function layersOf(network: ContactNetwork): string {
  if (network.kind === 'collision-state') {
    const { encoder, state, domains, predictor, classifier } = network.shape
    const [first, each, last] = [[...encoder, state], predictor, classifier].map((widths) => widths.join(' x '))
    return `the paper's: ${first} elu of the code, ${formatCount(domains.length)} domains of ${each} each, ${last} of these`
  }
  const { pairs, places, hidden, activation } = network.shape
  return `${formatCount(pairs)} pairs of parts, each with gaps between ${formatCount(places)} places of either, ${hidden.join(' x ')} ${activation}`
}

function percent(share: number): string {
  return `${formatNumber(100 * share)}%`
}
