/** What every page here needs and no guide is about: renderer, camera, light, floor, and a loop that reports failures. */
import {
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'

import './page.css'

/** A page that was hidden for a while, or draws slowly, goes on where it was [s]. */
const LONGEST_FRAME = 1 / 30
/** Share of the way that the camera goes after a character each frame: steps do not shake it. */
const FOLLOW = 0.15
/** In narrower pictures, width over height, the camera stands further back. */
const NARROWEST = 0.75

export class Stage {
  scene = new Scene()
  camera = new PerspectiveCamera(40, 1, 0.005, 100)
  status = document.querySelector('#status')
  #renderer = new WebGLRenderer({ canvas: document.querySelector('#view'), antialias: true })
  #controls = new OrbitControls(this.camera, this.#renderer.domElement)
  #sun = new DirectionalLight(0xfff1e0, 2.4)
  #from = new Vector3(1, 1, 1)

  /** @param size of what is on show [m] */
  constructor(size) {
    this.scene.background = new Color(0x1b2027)
    const sky = new HemisphereLight(0xdfe9f5, 0x3a2f28, 1.1)
    this.scene.add(this.#sun, sky, new GridHelper(6 * size, 24, 0x4a5563, 0x323a45))
    addEventListener('resize', () => this.#resize())
    this.#resize()
  }

  /** Puts the camera `from` away from what it looks at, both as [x, y, z] in metres. */
  lookAt(target, from) {
    this.#controls.target.set(...target)
    this.#from.set(...from)
    // Over the camera's left shoulder.
    this.#sun.position.set(from[0] - from[2], 2 * Math.hypot(...from), from[2] + from[0])
    this.#standBack()
  }

  /** The camera goes along with what walks about, given where it is in the world [m]. */
  follow(x, z) {
    const { target } = this.#controls
    const move = new Vector3(x - target.x, 0, z - target.z).multiplyScalar(FOLLOW)
    target.add(move)
    this.camera.position.add(move)
  }

  /** Calls `frame(seconds)` before each picture; what it throws is shown and ends the loop. */
  run(frame) {
    let last = performance.now()
    this.#renderer.setAnimationLoop((now) => {
      const seconds = Math.min(Math.max(now - last, 0) / 1000, LONGEST_FRAME)
      last = now
      try {
        frame(seconds)
      } catch (error) {
        this.#renderer.setAnimationLoop(null)
        this.status.textContent = error.message
        throw error
      }
      this.#controls.update()
      this.#renderer.render(this.scene, this.camera)
    })
  }

  #standBack() {
    const back = Math.max(1, NARROWEST / this.camera.aspect)
    this.camera.position.copy(this.#controls.target).addScaledVector(this.#from, back)
  }

  #resize() {
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#renderer.setSize(innerWidth, innerHeight)
    this.camera.aspect = innerWidth / innerHeight
    this.camera.updateProjectionMatrix()
    this.#standBack()
  }
}
