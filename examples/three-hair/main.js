/** Hair that falls over head and shoulders of a moving character. */
import { loadCollider, SkinnedCollider } from 'pliant/three'
import {
  AnimationClip,
  AnimationMixer,
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
} from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Stage } from '../shared/stage.js'
import { Scalp } from './scalp.js'
import { Strands } from './strands.js'

const CHARACTER = new URL('../../apps/studio/public/artifacts/humanoid.glb', import.meta.url).href
const COLLIDER = new URL('../../apps/studio/public/artifacts/humanoid.safetensors', import.meta.url).href
const COUNT = 700

const gltf = await new GLTFLoader().loadAsync(CHARACTER)
// #region roots
const body = new SkinnedCollider(await loadCollider(COLLIDER), gltf.scene)
const scalp = new Scalp(gltf.scene.getObjectByName('Head'), body, COUNT)
const strands = new Strands(scalp.roots, scalp.normals)
// #endregion

const mixer = new AnimationMixer(gltf.scene)
const clip = AnimationClip.findByName(gltf.animations, 'dance')
mixer.clipAction(clip).play()

const stage = new Stage(body.collider.character.height)
stage.scene.add(gltf.scene)
stage.lookAt([0, 1.45, 0], [0.55, 0.2, -1.15])

// #region draw
const positions = new BufferAttribute(strands.positions, 3).setUsage(DynamicDrawUsage)
const geometry = new BufferGeometry().setAttribute('position', positions).setIndex(segmentsOf(strands))
geometry.setAttribute('color', new BufferAttribute(coloursOf(strands), 3))
const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }))
lines.frustumCulled = false
stage.scene.add(lines)

/** Every point joined to the next of its strand. */
function segmentsOf({ count, points }) {
  return Array.from({ length: count * points }, (_, i) => i)
    .filter((i) => (i + 1) % points !== 0)
    .flatMap((i) => [i, i + 1])
}
// #endregion

/** Each strand a little lighter or darker than the next: lines have no shading. */
function coloursOf({ count, points }) {
  const colour = new Color()
  const colours = new Float32Array(3 * count * points)
  for (let i = 0; i < count * points; i++) {
    const strand = Math.trunc(i / points)
    colour.setHSL(0.07, 0.55, 0.16 + 0.14 * ((strand * 0.618) % 1)).toArray(colours, 3 * i)
  }
  return colours
}

const collide = document.querySelector('#collide')

// #region frame
function frame(seconds) {
  mixer.update(seconds)
  body.update(seconds)
  scalp.update()
  strands.step(seconds, scalp.roots, collide.checked ? body : undefined)
  positions.needsUpdate = true
}
// #endregion

window.threeHair = { strands, mixer, clip: clip.name }
stage.run((seconds) => {
  if (seconds > 0) frame(seconds)
  stage.follow(body.rootFrame[12], body.rootFrame[14])
  stage.status.textContent = `${strands.count} strands, ${strands.distances.length} points`
})
