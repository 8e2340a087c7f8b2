/** A cape of our own on a character of our own: where the clip comes from, how a mesh becomes cloth, how it is drawn. */
import { DressedCharacter, garmentFromMesh } from 'pliant/sim'
import { loadCollider, SkinnedCollider } from 'pliant/three'
import {
  AnimationClip,
  AnimationMixer,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshStandardMaterial,
} from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Stage } from '../shared/stage.js'
import { COLLAR, capeGeometry } from './cape.js'

const CHARACTER = new URL('../../apps/studio/public/artifacts/humanoid.glb', import.meta.url).href
const COLLIDER = new URL('../../apps/studio/public/artifacts/humanoid.safetensors', import.meta.url).href

// #region character
const gltf = await new GLTFLoader().loadAsync(CHARACTER)
const collider = await loadCollider(COLLIDER)
const body = new SkinnedCollider(collider, gltf.scene)

const mixer = new AnimationMixer(gltf.scene)
const clip = AnimationClip.findByName(gltf.animations, 'dance')
mixer.clipAction(clip).play()
// #endregion

// #region garment
const { character, manifest } = collider
const { skeleton } = character
const field = collider.createField() // one of its own: the cloth keeps it posed
field.update({ joints: skeleton.rest, matrices: skeleton.restMatrices }) // fitting is done at rest

const geometry = capeGeometry(skeleton, field) // any BufferGeometry, in the root frame of the character at rest [m]
const garment = garmentFromMesh(
  field,
  {
    positions: Float64Array.from(geometry.attributes.position.array),
    triangles: Uint32Array.from(geometry.index.array),
  },
  { attached: COLLAR }, // vertices that go with the skin
)
const dressed = new DressedCharacter(character, collider.bones, garment, field, {
  margin: manifest.quality.safetyMargin, // the field may be wrong by this much [m]
  bendStiffness: 4e-5, // thicker than a shirt [N m]
})
// #endregion

const stage = new Stage(character.height)
stage.scene.add(gltf.scene)
stage.lookAt([0, 0.95, 0], [-1.7, 0.6, -2.4])

// #region draw
const { cloth } = dressed
const drawn = new BufferGeometry()
const positions = new BufferAttribute(new Float32Array(cloth.positions.length), 3).setUsage(DynamicDrawUsage)
drawn.setIndex(new BufferAttribute(cloth.triangles, 1))
drawn.setAttribute('position', positions)
const mesh = new Mesh(drawn, new MeshStandardMaterial({ color: 0xa8323e, roughness: 0.9, side: DoubleSide }))
mesh.frustumCulled = false // its bounding sphere would have to follow every frame
stage.scene.add(mesh) // positions are in the world, so under no parent that moves

function drawCloth() {
  positions.copyArray(cloth.positions)
  positions.needsUpdate = true
  drawn.computeVertexNormals()
}
// #endregion

// #region frame
function frame(seconds) {
  mixer.update(seconds)
  body.update(seconds) // takes over the live skeleton
  dressed.step(seconds, body.pose, body.rootFrame)
  drawCloth()
}
// #endregion

// #region collide
document.querySelector('#collide').addEventListener('change', ({ target }) => {
  dressed.obstacle.body = target.checked ? field : undefined
})
// #endregion

window.threeCloth = { cloth, mixer, clip: clip.name }
stage.run((seconds) => {
  frame(seconds)
  stage.follow(body.rootFrame[12], body.rootFrame[14])
  stage.status.textContent = `${cloth.vertexCount} vertices, ${dressed.cloth.contacts.queries} queries a step`
})
