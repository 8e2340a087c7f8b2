/**
 * Exact labels of a learned space of shapes by its code. Codes are drawn evenly from the box, as the paper does (Tan et al.),
 * unless hardly any of the box is free, as of cloth whose folds all cross at once: then around the shapes that were given.
 */
import type { Random } from 'pliant'
import type { NeighbourOptions } from 'pliant/exact'
import { exactShapeSpace, type ShapeSpaceData, spaceDomains } from 'pliant/unstable'
import { uniformCodes } from '../sample/uniform-codes.js'
import { streamOf } from '../streams/random-streams.js'
import type { SurfacePatches } from '../surface/surface-patches.js'
import { ContactPool, type ContactPoolOptions, type ContactSource } from './contact-pool.js'

/** What workers are given. */
export interface ShapeContactStart {
  space: ShapeSpaceData
  patches: SurfacePatches
  neighbours: NeighbourOptions
}

/** @param around  codes of shapes that codes are drawn around, one after the other; empty: evenly from the box */
export function shapeContacts(
  space: ShapeSpaceData,
  patches: SurfacePatches,
  neighbours: NeighbourOptions,
  around: Float32Array,
): ContactSource {
  const start: ShapeContactStart = { space, patches, neighbours }
  const { bounds } = space
  return {
    bounds,
    task: new URL('./shape-contact-task.js', import.meta.url),
    start,
    advice: 'Give other shapes (model.meshes)',
    domains: spaceDomains(space).entries,
    ...(around.length > 0 && { draw: (count, random) => codesOnWays(bounds, around, count, random) }),
  }
}

/** How far codes are from the shapes that they are drawn around, at most, as a share of the way to any code of the box. */
const FURTHEST = 0.5

/** On the ways from shapes to codes anywhere in the box. */
function codesOnWays(
  bounds: ShapeSpaceData['bounds'],
  around: Float32Array,
  count: number,
  random: Random,
): Float32Array {
  const codes = uniformCodes(bounds, count, random)
  const size = bounds.lower.length
  for (let o = 0; o < codes.length; o += size) {
    const from = size * random.below(around.length / size)
    const share = random.between(0, FURTHEST)
    for (let k = 0; k < size; k++) codes[o + k] = around[from + k] + share * (codes[o + k] - around[from + k])
  }
  return codes
}

/** Even codes that are tested, and the share of them that may touch. */
const TESTED = 256
const MOST_TOUCHING = 0.75
/** Shapes that are drawn around, at most: evenly from all. */
const MOST_SHAPES = 400

/**
 * Codes of the shapes that codes are to be drawn around; none if enough of the box is free.
 * @param shapes  vertices of each, as they were given
 */
export async function codesToDrawAround(
  { space, patches, neighbours }: ShapeContactStart,
  shapes: readonly Float32Array[],
  { seed, ...options }: ContactPoolOptions & { seed: number },
): Promise<Float32Array> {
  const pool = new ContactPool(shapeContacts(space, patches, neighbours, new Float32Array(0)), options)
  try {
    const signs = await pool.signs(pool.draw(TESTED, streamOf('evenCodes', seed)))
    if (signs.filter((sign) => sign < 0).length <= MOST_TOUCHING * TESTED) return new Float32Array(0)
  } finally {
    await pool.dispose()
  }
  const exact = exactShapeSpace(space)
  const { lower, upper } = space.bounds
  const every = Math.ceil(shapes.length / MOST_SHAPES)
  const taken = shapes.filter((_, i) => i % every === 0)
  const codes = new Float32Array(taken.length * exact.codeSize)
  const code = new Float64Array(exact.codeSize)
  for (const [i, shape] of taken.entries()) {
    exact.encode(Float64Array.from(shape), code)
    codes.set(
      code.map((value, k) => Math.min(Math.max(value, lower[k]), upper[k])),
      i * code.length,
    )
  }
  return codes
}
