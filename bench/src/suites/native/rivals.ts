/**
 * Who races: ours, learned; our own exact search and three-mesh-bvh in this process; native libraries in theirs. All
 * rivals find distance, normal and triangle in one search. `Stop`: the search ends at the truncation.
 */
import type { ProgramName } from './programs.js'

/** Learned: without triangles, with that nearest to each point, and with it where the point is within the truncation. */
export const LEARNED = ['learned', 'learnedTriangles', 'learnedTrianglesStop'] as const
export const IN_PROCESS_RIVALS = [
  'exact',
  'exactPseudonormal',
  'exactStop',
  'threeMeshBvh',
  'threeMeshBvhStop',
] as const
export const NATIVE_RIVALS = ['embree', 'embreeStop', 'igl'] as const
export type NativeRival = (typeof NATIVE_RIVALS)[number]
export type InProcessMethod = (typeof LEARNED)[number] | (typeof IN_PROCESS_RIVALS)[number]
export type QueryMethod = InProcessMethod | NativeRival

/** How the programs are asked: Embree's best by far of those tried (bench/native/embree.cpp). */
export const NATIVE_METHODS: Readonly<Record<NativeRival, { program: ProgramName; method: string }>> = {
  embree: { program: 'embree', method: 'refit-compact-lazy' },
  embreeStop: { program: 'embree', method: 'refit-compact-lazy-trunc' },
  igl: { program: 'igl', method: 'signed' },
}
/** Put behind a method of Embree's, it skins a character itself. */
export const SKINNED = '-skin+'

/** A library by the methods it may be asked with, of which the fastest counts. */
export type Rival = 'embree' | 'igl' | 'exact' | 'threeMeshBvh'
export const RIVALS: readonly Rival[] = ['embree', 'igl', 'exact', 'threeMeshBvh']
const WHOLE = {
  embree: ['embree'],
  igl: ['igl'],
  exact: ['exact', 'exactPseudonormal'],
  threeMeshBvh: ['threeMeshBvh'],
} as const satisfies Record<Rival, readonly QueryMethod[]>
const STOPPING = {
  embree: ['embree', 'embreeStop'],
  igl: ['igl'],
  exact: ['exact', 'exactPseudonormal', 'exactStop'],
  threeMeshBvh: ['threeMeshBvh', 'threeMeshBvhStop'],
} as const satisfies Record<Rival, readonly QueryMethod[]>

/** What is asked: of points near the surface a search may stop, as it finds the same. */
export const PLACES = {
  near: { points: 'near', rivals: STOPPING },
  uniform: { points: 'uniform', rivals: WHOLE },
  uniformStop: { points: 'uniform', rivals: STOPPING },
} as const
export type Place = keyof typeof PLACES

/** Distance and normal; and the triangle too. */
export const OUTPUTS = ['normals', 'triangles'] as const
export type Output = (typeof OUTPUTS)[number]

export function oursOf(output: Output, place: Place): (typeof LEARNED)[number] {
  if (output === 'normals') return 'learned'
  return place === 'uniformStop' ? 'learnedTrianglesStop' : 'learnedTriangles'
}

/** Who finds all pairs of triangles that meet. */
export const COLLISION_METHODS = ['ours', 'embree', 'fcl', 'cgal'] as const
export type CollisionMethod = (typeof COLLISION_METHODS)[number]
export const NATIVE_COLLISIONS = {
  embree: { program: 'embree', method: 'collide' },
  fcl: { program: 'fcl', method: 'filtered' },
  cgal: { program: 'cgal', method: 'self' },
} as const satisfies Record<Exclude<CollisionMethod, 'ours'>, { program: ProgramName; method: string }>

export const NAMES: Readonly<Record<string, string>> = {
  learned: 'learned',
  learnedTriangles: 'learned, triangles',
  learnedTrianglesStop: 'learned, triangles in the band',
  embree: 'Embree',
  embreeStop: 'Embree, stopping',
  igl: 'libigl',
  exact: 'our exact',
  exactPseudonormal: 'our exact, pseudonormals',
  exactStop: 'our exact, stopping',
  threeMeshBvh: 'three-mesh-bvh',
  threeMeshBvhStop: 'three-mesh-bvh, stopping',
  ours: 'ours',
  fcl: 'FCL',
  cgal: 'CGAL',
}
