/** three.js's own animation and skinning, to hold ours to. */
import { AnimationMixer, type Group, type Mesh, SkinnedMesh, Texture, Vector3 } from 'three'
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'

export async function loadWithThree(bytes: Uint8Array): Promise<GLTF> {
  const loader = new GLTFLoader()
  // There are no images in Node, and none are needed.
  loader.register(() => ({ name: 'no-textures', loadTexture: () => Promise.resolve(new Texture()) }))
  // three asks for this global before it knows whether there is an image.
  ;(globalThis as { self?: unknown }).self ??= globalThis
  return loader.parseAsync(bytes.slice().buffer, '')
}

/** Plays one clip at a time [s] and leaves the scene there. */
export function poseThree(gltf: GLTF, clip: string, time: number): void {
  const mixer = new AnimationMixer(gltf.scene)
  const found = gltf.animations.find((animation) => animation.name === clip)
  if (found === undefined) throw new Error(clip)
  mixer.clipAction(found).play()
  mixer.setTime(time)
  gltf.scene.updateMatrixWorld(true)
}

/** World positions of all vertices of all skinned meshes, in the order in which the scene shows them. */
export function skinnedVertices(scene: Group): number[] {
  scene.updateMatrixWorld(true)
  const positions: number[] = []
  const vertex = new Vector3()
  scene.traverse((object) => {
    if (!(object instanceof SkinnedMesh)) return
    const mesh: Mesh = object
    for (let i = 0; i < mesh.geometry.attributes['position'].count; i++) {
      mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld)
      positions.push(vertex.x, vertex.y, vertex.z)
    }
  })
  return positions
}
