/** Exact labels of a learned space of shapes by its code: codes are drawn evenly from the box, as the paper does (Tan et al.). */
import type { NeighbourOptions } from 'pliant/exact'
import { type ShapeSpaceData, spaceDomains } from 'pliant/unstable'
import type { SurfacePatches } from '../surface/surface-patches.js'
import type { ContactSource } from './contact-pool.js'

/** What workers are given. */
export interface ShapeContactStart {
  space: ShapeSpaceData
  patches: SurfacePatches
  neighbours: NeighbourOptions
}

export function shapeContacts(
  space: ShapeSpaceData,
  patches: SurfacePatches,
  neighbours: NeighbourOptions,
): ContactSource {
  const start: ShapeContactStart = { space, patches, neighbours }
  return {
    bounds: space.bounds,
    task: new URL('./shape-contact-task.js', import.meta.url),
    start,
    advice: 'Give other shapes (model.meshes)',
    domains: spaceDomains(space).entries,
  }
}
