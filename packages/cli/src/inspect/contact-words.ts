/** What is said of networks that tell self-contact, whether of joint angles or of learned codes. */
import type { ShapeContactNetwork } from 'pliant'
import type { CharacterContactNetwork } from 'pliant/character'
import { formatCount, formatNumber } from '../format.js'

type ContactNetwork = CharacterContactNetwork | ShapeContactNetwork

/** @param but  what else does not count */
export function contactRule({ along, near }: { along: number; near: number }, but = ''): string {
  return `counts but for ${but}ways along the surface below ${percent(along)} of the diagonal, and what is nearer than ${percent(near)} of it at rest`
}

export function contactUnit(metres: number, { kind }: ContactNetwork): string {
  return `a distance of 1 is ${formatNumber(metres)} m of ${kind === 'collision-state' ? 'depth' : 'clearance'}, about`
}

export function layersOf(network: ContactNetwork): string {
  if (network.kind === 'collision-state') {
    const { encoder, state, domains, predictor, classifier } = network.shape
    const [first, each, last] = [[...encoder, state], predictor, classifier].map((widths) => widths.join(' x '))
    return `the paper's: ${first} elu of the code, ${formatCount(domains.length)} domains of ${each} each, ${last} of these`
  }
  const { pairs, gaps, hidden, activation } = network.shape
  return `${formatCount(pairs)} pairs of parts, each with ${formatCount(gaps)} gaps, ${hidden.join(' x ')} ${activation}`
}

function percent(share: number): string {
  return `${formatNumber(100 * share)}%`
}
