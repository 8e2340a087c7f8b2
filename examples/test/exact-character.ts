/** The character of the examples as three.js draws it, for judging what a page has on show: exact, not learned. */
import { readFileSync } from 'node:fs'
import { ExactMeshField } from 'pliant/exact'
import { readGltf } from 'pliant/files'
import { loadWithThree, poseThree, skinnedVertices } from '../../packages/pliant/test/model/three-reference.js'
import { ARTIFACTS } from './example-page.js'

export const RIG = new Uint8Array(readFileSync(new URL('humanoid.glb', ARTIFACTS)))

export interface Moment {
  clip: string
  /** [s] */
  time: number
  /** In the world, xyz triples [m]. */
  positions: number[]
}

/** Distances of the points from the character's own triangles at that time. */
export async function exactDistances({ clip, time, positions }: Moment): Promise<Float64Array> {
  const gltf = await loadWithThree(RIG)
  poseThree(gltf, clip, time)
  const { triangles } = readGltf(RIG).meshes[0]
  const exact = new ExactMeshField({ positions: Float64Array.from(skinnedVertices(gltf.scene)), triangles })
  const distances = new Float64Array(positions.length / 3)
  exact.query(Float64Array.from(positions), distances.length, distances)
  return distances
}

/** Of the points, how many are deeper inside than so [m]. */
export async function shareInside(moment: Moment, depth: number): Promise<number> {
  const distances = await exactDistances(moment)
  return distances.filter((distance) => distance < -depth).length / distances.length
}
