/** What the documents take for granted: files that readers have of their own, and variables of their programs. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from 'pliant'
import { writeMedit, writeObj } from 'pliant/files'
import { shipped, shippedPath } from './shipped-files.js'

/** A character, tetrahedra, a part that was drawn in millimetres, and the first example's artifact. */
export async function writeReadersFiles(folder: string): Promise<void> {
  copyFileSync(shippedPath('humanoid.glb'), join(folder, 'hero.glb'))
  copyFileSync(shippedPath('bar.safetensors'), join(folder, 'bar.safetensors'))
  const { body } = await decode(shipped('bunny.safetensors'), 'elastic-body')
  writeFileSync(join(folder, 'body.mesh'), writeMedit(body.mesh))
  const { model } = await decode(shipped('bar.safetensors'), 'linear-modes')
  const millimetres = { positions: model.rest.map((metres) => 1000 * metres), triangles: model.triangles }
  writeFileSync(join(folder, 'part.obj'), writeObj(millimetres))
}

/** Types of the variables that blocks leave to the reader. */
export const GIVEN_TYPES = `import type { AnimationMixer, SkinnedMesh } from 'three'
declare global {
  var skinnedMesh: SkinnedMesh
  var mixer: AnimationMixer
  var seconds: number
  var points: Float32Array
  var count: number
  var distances: Float32Array
  var normals: Float32Array
}
`

/** The reader's page: the character stands at the origin; one point is inside its chest, one beside it. */
export const GIVEN_PAGE = `import { AnimationMixer } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
const gltf = await new GLTFLoader().loadAsync('hero.glb')
Object.assign(globalThis, {
  skinnedMesh: gltf.scene.getObjectByProperty('isSkinnedMesh', true),
  mixer: new AnimationMixer(gltf.scene),
  seconds: 1 / 60,
  points: new Float32Array([0, 1.2, 0, 0.35, 1, 0.35]),
  count: 2,
  distances: new Float32Array(2),
  normals: new Float32Array(6),
})
`
