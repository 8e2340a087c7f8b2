/** What the documents take for granted: files that readers have of their own, and variables of their programs. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeArtifact } from 'pliant'
import { decodeCharacter } from 'pliant/character'
import { writeNpy, writeObj } from 'pliant/files'
import { bvhText } from '../bvh-text.js'
import { shipped, shippedPath } from './shipped-files.js'

/** A character, clips for it, an object with modes, and the first example's artifact. */
export function writeReadersFiles(folder: string): void {
  for (const name of ['hero.glb', 'character.glb']) copyFileSync(shippedPath('humanoid.glb'), join(folder, name))
  copyFileSync(shippedPath('bar.safetensors'), join(folder, 'bar.safetensors'))
  for (const name of ['walk.bvh', 'dance.bvh']) writeFileSync(join(folder, name), humanoidMotion())
  const { model } = decodeArtifact(shipped('bar.safetensors'))
  const mesh = { positions: model.rest, triangles: model.triangles }
  writeFileSync(join(folder, 'finger.obj'), writeObj(mesh))
  const modes = writeNpy(model.modes, [model.codeSize, model.vertexCount, 3])
  writeFileSync(join(folder, 'finger-modes.npy'), modes)
}

/** All joints of the built-in humanoid, nodding a little. */
function humanoidMotion(): string {
  const { skeleton } = decodeCharacter(shipped('humanoid.safetensors')).character
  const joints = skeleton.names.map((name, joint) => ({
    name,
    parent: skeleton.parents[joint],
    offset: [...skeleton.rest.translations.subarray(3 * joint, 3 * joint + 3)],
  }))
  const frames = Array.from({ length: 8 }, (_, frame) => joints.map(() => [0, 2 * frame, 0]))
  return bvhText(joints, frames)
}

/** Types of the variables that blocks leave to the reader. */
export const GIVEN_TYPES = `import type { AnimationMixer, SkinnedMesh } from 'three'
declare global {
  var bytes: Uint8Array
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

/** The reader's script: one point is inside the bunny's body, one beside it. Tells at its end what was answered. */
export const GIVEN_SCRIPT = `import { readFileSync } from 'node:fs'
Object.assign(globalThis, {
  bytes: readFileSync('bunny.safetensors'),
  points: new Float32Array([0.02, 0.058, 0.015, 0.1, 0.1, 0.1]),
  count: 2,
  distances: new Float32Array(2),
  normals: new Float32Array(6),
})
process.on('exit', () => console.log(JSON.stringify({ distances: [...distances], normals: [...normals] })))
`
