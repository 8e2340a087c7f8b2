/** What the character's field is raced against. */
import type { RivalNames } from '../../report/rival-names.js'

/** All skin the character and find the nearest triangle: as exact as ours, or more. `Stop`: no further than the band. */
export const EXACT_RIVALS = [
  'exact',
  'exactPseudonormal',
  'exactStop',
  'threeMeshBvh',
  'threeMeshBvhStop',
  'staticGeometry',
  'skinnedMeshBvhStop',
] as const
/** Far less exact than ours, some of them faster. */
export const ROUGH_RIVALS = ['boneGrids', 'capsules'] as const
export type QueryMethod =
  | 'learned'
  | 'learnedTwoThreads'
  | 'paper'
  | 'paperOrt'
  | (typeof EXACT_RIVALS)[number]
  | (typeof ROUGH_RIVALS)[number]

/** In the crowd. */
export const CROWD_RIVALS = ['exact', 'exactStop', 'threeMeshBvh', 'threeMeshBvhStop'] as const

/** What only this suite races. */
export const RIVAL_NAMES: RivalNames = {
  staticGeometry: { terminal: 'StaticGeometry', document: 'StaticGeometryGenerator + refit' },
  skinnedMeshBvhStop: { terminal: 'SkinnedMeshBVH, stopping', document: 'SkinnedMeshBVH, stopping at the band' },
}
