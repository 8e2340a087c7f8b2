/** A surface whose vertices are new in every frame, shaded smoother than its triangles are. */
import * as THREE from 'three'

/** Rounds in which normals are averaged with their neighbours': a cloth of a thousand vertices has folds of few triangles. */
const ROUNDS = 2

export class DeformingMesh {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>

  constructor(material: THREE.Material) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material)
    // Its bounding sphere would have to follow every frame; what the camera follows is always seen.
    this.mesh.frustumCulled = false
    // Drawn without normals once, three.js would shade it flat for good.
    this.mesh.visible = false
    this.mesh.castShadow = true
    this.mesh.receiveShadow = true
  }

  setTriangles(triangles: Uint32Array): void {
    this.mesh.geometry.dispose()
    this.mesh.geometry = new THREE.BufferGeometry()
    this.mesh.geometry.setIndex(new THREE.BufferAttribute(triangles, 1))
    this.mesh.visible = false
  }

  setPositions(positions: Float32Array): void {
    const { geometry } = this.mesh
    const attribute = geometry.getAttribute('position') as THREE.BufferAttribute | undefined
    if (attribute?.array.length === positions.length) {
      attribute.copyArray(positions)
      attribute.needsUpdate = true
    } else geometry.setAttribute('position', new THREE.BufferAttribute(positions.slice(), 3))
    geometry.computeVertexNormals()
    const normals = geometry.getAttribute('normal').array as Float32Array
    for (let round = 0; round < ROUNDS; round++) averageNormals(geometry.index!.array as Uint32Array, normals)
    this.mesh.visible = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}

/** Each normal becomes the mean of those of all triangles around it, at length one. */
export function averageNormals(triangles: Uint32Array, normals: Float32Array): void {
  const sums = new Float32Array(normals.length)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [3 * triangles[t] + axis, 3 * triangles[t + 1] + axis, 3 * triangles[t + 2] + axis]
      const sum = normals[a] + normals[b] + normals[c]
      sums[a] += sum
      sums[b] += sum
      sums[c] += sum
    }
  }
  for (let i = 0; i < sums.length; i += 3) {
    const length = Math.hypot(sums[i], sums[i + 1], sums[i + 2]) || 1
    for (let axis = 0; axis < 3; axis++) normals[i + axis] = sums[i + axis] / length
  }
}
