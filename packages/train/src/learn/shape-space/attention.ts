/**
 * Attention of domains, out of what level 1 has learned: how strong each component is at a vertex, m_k(v) = |C_vk| over its
 * largest (algorithms.md 2.2). Ours are divided by the root of the sum of their squares, so that domains whose networks
 * change nothing leave nothing of the residual behind; and where no component is, the nearest centre has a little.
 */
import { ACAP_CHANNELS } from 'pliant/unstable'
import type { CentreDistances } from './centre-distances.js'

export interface DomainSight {
  vertices: Uint32Array
  attention: Float32Array
}

/** Domains that attend to a vertex less than this against its strongest do not see it. */
const LEAST = 0.15
/** Beside the strongest of a component, and how fast that falls with geodesic distance. */
const FLOOR = 0.02
const FALL = 10

/** @param components  [domains, 9V] */
export function domainAttention(
  components: Float32Array,
  domains: number,
  { centres, distances }: CentreDistances,
): DomainSight[] {
  const size = components.length / domains
  const vertexCount = size / ACAP_CHANNELS
  const places = new Int32Array(domains)
  const strengths = Array.from({ length: domains }, (_, k) => {
    const lengths = lengthsOf(components.subarray(k * size, (k + 1) * size))
    const most = lengths.reduce((a, b) => Math.max(a, b), 0)
    const centre = centres.reduce((best, vertex, c) => (lengths[vertex] > lengths[centres[best]] ? c : best), 0)
    places[k] = centres[centre]
    return lengths.map(
      (length, v) => (most > 0 ? length / most : 0) + FLOOR * Math.exp(-FALL * distances[centre * vertexCount + v]),
    )
  })
  const sights = strengths.map(() => ({ vertices: [] as number[], attention: [] as number[] }))
  for (let v = 0; v < vertexCount; v++) {
    const most = strengths.reduce((a, each) => Math.max(a, each[v]), 0)
    // A domain sees its own centre, so that none is empty.
    const kept = strengths.map((each, k) => (each[v] >= LEAST * most || places[k] === v ? each[v] : 0))
    const length = Math.hypot(...kept)
    kept.forEach((strength, k) => {
      if (strength === 0) return
      sights[k].vertices.push(v)
      sights[k].attention.push(strength / length)
    })
  }
  return sights.map(({ vertices, attention }) => ({
    vertices: Uint32Array.from(vertices),
    attention: Float32Array.from(attention),
  }))
}

function lengthsOf(component: Float32Array): Float64Array {
  return Float64Array.from({ length: component.length / ACAP_CHANNELS }, (_, v) =>
    Math.hypot(...component.subarray(ACAP_CHANNELS * v, ACAP_CHANNELS * (v + 1))),
  )
}

/** What a domain sees of a row of the whole: numbers of its vertices, times its attention. */
export function seenBy({ vertices, attention }: DomainSight, row: Float32Array): Float32Array {
  const out = new Float32Array(ACAP_CHANNELS * vertices.length)
  for (let i = 0; i < out.length; i++) {
    const v = Math.trunc(i / ACAP_CHANNELS)
    out[i] = attention[v] * row[ACAP_CHANNELS * vertices[v] + (i % ACAP_CHANNELS)]
  }
  return out
}

/** The way back: what numbers of a domain, times its attention, are in the whole. */
export function spreadBy({ vertices, attention }: DomainSight, numbers: ArrayLike<number>, size: number): Float32Array {
  const out = new Float32Array(size)
  for (let i = 0; i < numbers.length; i++) {
    const v = Math.trunc(i / ACAP_CHANNELS)
    out[ACAP_CHANNELS * vertices[v] + (i % ACAP_CHANNELS)] = attention[v] * numbers[i]
  }
  return out
}
