/**
 * What three-mesh-bvh brings for a SkinnedMesh, both with three.js's own skinning: `StaticGeometryGenerator` and a tree
 * that is refitted, as its documentation shows; and `SkinnedMeshBVH`, in its core since 0.9.9.
 */
import type { SkinnedCharacter } from 'pliant/character'
import { Vector3 } from 'three'
import { MeshBVH, SAH, SkinnedMeshBVH, StaticGeometryGenerator } from 'three-mesh-bvh'
import { askTree } from '../../queries/tree-answers.js'
import type { Answer } from './answers.js'
import { boneFollower, skinnedMesh } from './skinned-mesh.js'

export function answerByStaticGeometry(character: SkinnedCharacter): Answer {
  const mesh = skinnedMesh(character)
  const follow = boneFollower(character, mesh)
  const generator = new StaticGeometryGenerator(mesh)
  generator.attributes = ['position']
  generator.useGroups = false
  follow(character.skeleton.rest)
  mesh.skeleton.update()
  const geometry = generator.generate()
  const bvh = new MeshBVH(geometry)
  return ({ pose, points }, out) => {
    follow(pose)
    mesh.skeleton.update()
    generator.generate(geometry)
    bvh.refit()
    askTree(bvh, points, out)
  }
}

/**
 * Skins a triangle whenever a search comes to it, so leaves are small: two triangles instead of ten leave 13 of 34 to be
 * skinned a query near the humanoid's surface, 42 of 92 anywhere; by SAH, with which refits are no slower than by others.
 */
const SKINNED_TREE = { strategy: SAH, targetLeafSize: 2 }

/**
 * `SkinnedMeshBVH` refits and casts rays and shapes; it has no closest point. This is the one of `MeshBVH`, by the same
 * shapecast, with the nearest face's normal for the sign as in `askTree`.
 * @param reach  where the search stops [m]: points further away get this distance, no sign and no direction
 */
export function answerBySkinnedTree(character: SkinnedCharacter, reach = Infinity): Answer {
  const mesh = skinnedMesh(character)
  const follow = boneFollower(character, mesh)
  follow(character.skeleton.rest)
  const bvh = new SkinnedMeshBVH(mesh, SKINNED_TREE)
  const search = new NearestSkinned()
  return ({ pose, points }, { distances, normals }) => {
    follow(pose)
    bvh.refit()
    for (let i = 0; 3 * i < points.length; i++) {
      search.find(bvh, points[3 * i], points[3 * i + 1], points[3 * i + 2], reach)
      distances[i] = search.distance
      search.normal.toArray(normals, 3 * i)
    }
  }
}

/** The callbacks of one closest point, made once: nothing is allocated but by the tree itself. */
class NearestSkinned {
  distance = 0
  /** Of unit length, away from the surface; zero where nothing is within reach. */
  readonly normal = new Vector3()
  private readonly point = new Vector3()
  private readonly candidate = new Vector3()
  private readonly nearest = new Vector3()
  private readonly face = new Vector3()
  private squared = Infinity
  private readonly callbacks: Parameters<SkinnedMeshBVH['shapecast']>[0] = {
    boundsTraverseOrder: ({ min, max }) =>
      this.candidate.copy(this.point).clamp(min, max).distanceToSquared(this.point),
    intersectsBounds: (_box, _isLeaf, score) => score! < this.squared,
    intersectsTriangle: (triangle) => {
      triangle.closestPointToPoint(this.point, this.candidate)
      const squared = this.candidate.distanceToSquared(this.point)
      if (squared >= this.squared) return
      this.squared = squared
      this.nearest.copy(this.candidate)
      triangle.getNormal(this.face)
    },
  }

  find(bvh: SkinnedMeshBVH, x: number, y: number, z: number, reach: number): void {
    const { point, normal, nearest, face } = this
    point.set(x, y, z)
    this.squared = reach ** 2
    face.set(0, 0, 0)
    bvh.shapecast(this.callbacks)
    const isFound = this.squared < reach ** 2
    const outward = isFound && normal.subVectors(point, nearest).dot(face) < 0 ? -1 : 1
    this.distance = outward * Math.sqrt(this.squared)
    if (isFound) normal.divideScalar(this.distance || 1)
    else normal.set(0, 0, 0)
  }
}
