/** A character moves under a shower of balls that bounce off it. */
import { colliderFromGltf, loadCollider, SkinnedCollider } from 'pliant/three'
import {
  AmbientLight,
  AnimationMixer,
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { Particles } from './particles.js'

const COUNT = 400

const renderer = new WebGLRenderer({ canvas: document.querySelector('#view'), antialias: true })
const camera = new PerspectiveCamera(40, 1, 0.01, 1000)
const controls = new OrbitControls(camera, renderer.domElement)
const status = document.querySelector('#status')
const failure = document.querySelector('#failure')

/**
 * Loads a character and makes the scene around it.
 * @param artifact  address of its collider; left out, the character carries it
 */
async function open(character, artifact) {
  const gltf = await new GLTFLoader().loadAsync(character)
  const collider = artifact ? await loadCollider(artifact) : await colliderFromGltf(gltf)
  const body = new SkinnedCollider(collider, gltf.scene)
  const { height } = collider.character
  const { name } = collider.manifest

  const scene = new Scene()
  scene.background = new Color(0x1b2027)
  const sun = new DirectionalLight(0xffffff, 2.5)
  sun.position.set(1, 3, 2)
  const particles = new Particles(COUNT, height)
  scene.add(
    gltf.scene,
    particles.mesh,
    sun,
    new AmbientLight(0xb0c4de, 1.2),
    new GridHelper(8 * height, 32, 0x4a5563, 0x323a45),
  )

  const mixer = new AnimationMixer(gltf.scene)
  // Something livelier than standing, if there is.
  const clip = gltf.animations.find(({ name }) => /walk|run|dance/i.test(name)) ?? gltf.animations[0]
  if (clip) mixer.clipAction(clip).play()
  const middle = new Box3().setFromObject(gltf.scene).getCenter(new Vector3())
  controls.target.copy(middle)
  camera.position.copy(middle).add(new Vector3(0.9, 0.35, 1.9).multiplyScalar(height))
  return { scene, mixer, clip, body, particles, middle, name }
}

let shown

function frame(seconds) {
  const { scene, mixer, body, particles, middle } = shown
  mixer.update(seconds)
  body.update(seconds)
  // Balls fall where the character has walked to.
  middle.fromArray(body.rootFrame, 12)
  particles.step(seconds, body, middle)
  status.textContent = `${shown.name}: ${particles.count} balls, ${particles.bounces} bounces`
  renderer.render(scene, camera)
}

/** What was on show before goes on where another cannot be opened. */
async function show(character, artifact) {
  failure.textContent = ''
  try {
    shown = await open(character, artifact)
    window.threeCharacter = shown
  } catch (error) {
    failure.textContent = error.message
    if (!shown) status.textContent = ''
  }
}

function resize() {
  renderer.setSize(innerWidth, innerHeight)
  camera.aspect = innerWidth / innerHeight
  camera.updateProjectionMatrix()
}

addEventListener('resize', resize)
resize()
document.querySelector('#file').addEventListener('change', ({ target }) => show(URL.createObjectURL(target.files[0])))
let last = performance.now()
renderer.setAnimationLoop((now) => {
  // A page that was hidden for a while goes on where it was.
  const seconds = Math.min((now - last) / 1000, 1 / 30)
  last = now
  controls.update()
  if (shown) frame(seconds)
})
await show(
  new URL('../../apps/studio/public/artifacts/humanoid.glb', import.meta.url).href,
  new URL('../../apps/studio/public/artifacts/humanoid.safetensors', import.meta.url).href,
)
