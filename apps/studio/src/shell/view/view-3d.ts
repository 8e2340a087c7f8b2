/**
 * The 3D view that pages share: renderer with shadows, a camera that mouse, fingers and keys turn and that the address
 * remembers, and a word where the browser takes the graphics away for a while.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { element } from '../element.js'
import { readCameraPlace, writeCameraPlace } from './camera-place.js'

const BACKGROUND = 0x12161c
/** Where the ground begins to fade and where it is gone, in sizes of the object beyond it. */
const FOG = [1, 5] as const
/** A press of a key turns the view by this [rad], and brings it this much nearer. */
const KEY_TURN = Math.PI / 30
const KEY_ZOOM = 1.1

export interface View3DOptions {
  testId: string
  /** What is seen, for those who do not see it. */
  label: string
  /** Upright [degrees]. */
  fieldOfView: number
  /** Arrow keys turn the view; with Shift only where the page has a use for them alone. */
  keys?: 'arrows' | 'shift'
  /** Somebody turned the view. */
  onTurned(): void
  /** The picture must be drawn again: another size, another place of the camera, graphics given back. */
  onStale?(): void
}

export class View3D {
  readonly root = element('div', { class: 'scene' })
  readonly renderer = new THREE.WebGLRenderer({ antialias: true })
  readonly scene = new THREE.Scene()
  readonly camera: THREE.PerspectiveCamera
  readonly controls: OrbitControls
  /** Nobody has turned the view, and no address says how it is turned. */
  untouched = true
  readonly #options: View3DOptions
  readonly #resize: ResizeObserver
  readonly #listeners = new AbortController()
  readonly #fog = new THREE.Fog(BACKGROUND)
  readonly #lost = element('p', { class: 'lost', role: 'status', 'data-testid': 'graphics-lost', hidden: true })
  /** What the camera looks at by itself, and the object's size. */
  readonly #home = new THREE.Vector3()
  readonly #from = new THREE.Vector3()
  #narrowest = 0
  #size = 1
  #wanted: string | undefined

  constructor(options: View3DOptions) {
    this.#options = options
    this.camera = new THREE.PerspectiveCamera(options.fieldOfView, 1, 0.01, 200)
    const { canvas } = this
    canvas.dataset['testid'] = options.testId
    canvas.tabIndex = 0
    canvas.setAttribute('role', 'application')
    canvas.setAttribute('aria-label', options.label)
    this.#lost.textContent = 'The browser has taken the graphics away; waiting for it to give them back\u2026'
    this.root.append(canvas, this.#lost)
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = THREE.PCFShadowMap
    this.scene.background = new THREE.Color(BACKGROUND)
    this.scene.fog = this.#fog
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener('start', () => {
      this.untouched = false
    })
    this.controls.addEventListener('end', () => options.onTurned())
    const { signal } = this.#listeners
    canvas.addEventListener('keydown', (event) => this.#key(event), { signal })
    canvas.addEventListener('webglcontextlost', () => this.#loseGraphics(true), { signal })
    canvas.addEventListener('webglcontextrestored', () => this.#loseGraphics(false), { signal })
    this.#resize = new ResizeObserver(() => this.#fit())
    this.#resize.observe(this.root)
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement
  }

  get aspect(): number {
    return this.camera.aspect
  }

  /** Where the camera stands, for the address; undefined while it stands where it was put. */
  get place(): string | undefined {
    if (this.untouched) return undefined
    const { target } = this.controls
    const offset = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(target))
    const [x, y, z] = target.clone().sub(this.#home).divideScalar(this.#size).toArray()
    return writeCameraPlace({
      azimuth: THREE.MathUtils.radToDeg(offset.theta),
      elevation: 90 - THREE.MathUtils.radToDeg(offset.phi),
      distance: offset.radius / this.#size,
      aside: [x, y, z],
    })
  }

  /** From the address: taken at once if something is on show, and by the next `stand`. */
  set place(text: string | undefined) {
    this.#wanted = text
    this.#takeWanted()
  }

  /**
   * Puts the camera in front of an object, or where the address says.
   * @param home   what it looks at
   * @param from   from there to the camera
   * @param size   of the object
   * @param narrowest width over height; in narrower pictures the camera stands further back
   */
  stand(home: THREE.Vector3, from: THREE.Vector3, size: number, narrowest = 0): void {
    this.#home.copy(home)
    this.#from.copy(from)
    this.#size = size
    this.#narrowest = narrowest
    this.untouched = true
    this.controls.target.copy(home)
    this.#standBack()
    this.#takeWanted()
    // The address speaks of the object that it named, not of later ones.
    this.#wanted = undefined
    this.controls.update()
  }

  /** The object has moved, and the camera goes along. */
  follow(move: THREE.Vector3): void {
    this.#home.add(move)
    this.controls.target.add(move)
    this.camera.position.add(move)
  }

  /** @returns time of drawing as far as the page waits for it [ms] */
  render(): number {
    const began = performance.now()
    if (!this.renderer.xr.isPresenting) this.controls.update()
    this.#placeFog()
    this.renderer.render(this.scene, this.camera)
    return performance.now() - began
  }

  dispose(): void {
    this.#resize.disconnect()
    this.#listeners.abort()
    this.controls.dispose()
    this.renderer.setAnimationLoop(null)
    this.renderer.dispose()
    // Browsers give a page few contexts; one that is left to the garbage collector counts on.
    this.renderer.forceContextLoss()
  }

  #standBack(): void {
    const back = Math.max(1, this.#narrowest / this.camera.aspect)
    this.camera.position.copy(this.controls.target).addScaledVector(this.#from, back)
  }

  /** The fog begins behind the object, wherever the camera stands. */
  #placeFog(): void {
    const distance = this.camera.position.distanceTo(this.controls.target)
    this.#fog.near = distance + FOG[0] * this.#size
    this.#fog.far = distance + FOG[1] * this.#size
  }

  #takeWanted(): void {
    const place = readCameraPlace(this.#wanted)
    if (!place) return
    const { target } = this.controls
    target
      .set(...place.aside)
      .multiplyScalar(this.#size)
      .add(this.#home)
    const offset = new THREE.Spherical(
      place.distance * this.#size,
      THREE.MathUtils.degToRad(90 - place.elevation),
      THREE.MathUtils.degToRad(place.azimuth),
    ).makeSafe()
    this.camera.position.setFromSpherical(offset).add(target)
    this.untouched = false
    this.#options.onStale?.()
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const turns = this.#options.keys === 'shift' ? event.shiftKey : true
    const turn = turns ? TURNS[event.key] : undefined
    const zoom = { '+': 1 / KEY_ZOOM, '=': 1 / KEY_ZOOM, '-': KEY_ZOOM }[event.key]
    if (!turn && !zoom) return
    event.preventDefault()
    const { target, minPolarAngle, maxPolarAngle, minDistance, maxDistance } = this.controls
    const offset = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(target))
    offset.theta += KEY_TURN * (turn?.[0] ?? 0)
    offset.phi = THREE.MathUtils.clamp(offset.phi + KEY_TURN * (turn?.[1] ?? 0), minPolarAngle, maxPolarAngle)
    offset.radius = THREE.MathUtils.clamp(offset.radius * (zoom ?? 1), minDistance, maxDistance)
    this.camera.position.setFromSpherical(offset.makeSafe()).add(target)
    this.untouched = false
    this.#options.onTurned()
    this.#options.onStale?.()
  }

  #loseGraphics(lost: boolean): void {
    this.#lost.hidden = !lost
    if (!lost) this.#options.onStale?.()
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.root
    if (clientWidth === 0 || clientHeight === 0 || this.renderer.xr.isPresenting) return
    this.renderer.setSize(clientWidth, clientHeight)
    this.camera.aspect = clientWidth / clientHeight
    this.camera.updateProjectionMatrix()
    if (this.untouched) this.#standBack()
    this.render()
    this.#options.onStale?.()
  }
}

/** About the vertical, and down. */
const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
