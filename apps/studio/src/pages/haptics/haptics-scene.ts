/** Body, tool, what touches and the table in space, and the camera, which the right button turns. */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import { softShadow } from '../../draw/soft-shadow.js'
import { ContactMarks } from './contact-marks.js'
import type { Frame, Opened } from './haptics-protocol.js'
import { TouchedMesh } from './touched-mesh.js'

const BACKGROUND = 0x12161c
/** Porcelain, glowing where it is touched, and a warm hand. */
const BODY = 0xd8d2cb
const GLOW = 0xff8a2a
const TOOL = 0xd98f6a
const GROUND = 0x1c232c
/** Where the camera stands, in diagonals of the body from what it looks at, and how far that is above the table. */
const STAND = new THREE.Vector3(0.36, 0.78, 1.7)
const LOOK_AT = new THREE.Vector3(0.17, 0.34, 0)
const FIELD_OF_VIEW = 36
/** In narrower pictures, width over height, the camera stands further back. */
const NARROWEST = 1.15
/** In WebXR the table stands this high, and this far in front of the viewer [m]. */
const TABLE = { height: 0.95, away: 0.45 }

export class HapticsScene {
  readonly root = document.createElement('div')
  readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 200)
  readonly renderer = new THREE.WebGLRenderer({ antialias: true })
  readonly #scene = new THREE.Scene()
  /** Carries the camera and controllers, so that a viewer in WebXR stands before the table. */
  readonly #viewer = new THREE.Group()
  readonly #controls: OrbitControls
  readonly #resize: ResizeObserver
  readonly #body = new TouchedMesh(BODY, GLOW)
  readonly #tool = new DeformingMesh(new THREE.MeshStandardMaterial({ color: TOOL, roughness: 0.6 }))
  readonly #marks = new ContactMarks()
  readonly #grid = new THREE.GridHelper(8, 80, 0x34404e, 0x27303b)
  readonly #ground = new THREE.Mesh(new THREE.CircleGeometry(4, 64), new THREE.MeshBasicMaterial({ color: GROUND }))
  readonly #shadow = softShadow()
  readonly #toolShadow = softShadow()
  #triangles: Uint32Array = new Uint32Array(0)
  #floor = 0
  #size = 0.25

  constructor() {
    this.root.className = 'scene'
    const { canvas } = this
    canvas.dataset['testid'] = 'haptics-scene'
    canvas.tabIndex = 0
    canvas.setAttribute('role', 'application')
    canvas.setAttribute(
      'aria-label',
      'A soft hand and a soft body. Arrow keys move the hand, Page Up and Page Down push it away and pull it near, comma and full stop turn it.',
    )
    this.root.append(canvas)
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#scene.background = new THREE.Color(BACKGROUND)
    this.#addLights()
    for (const flat of [this.#ground, this.#shadow, this.#toolShadow]) flat.rotation.x = -Math.PI / 2
    this.#viewer.add(this.camera)
    this.#scene.add(this.#ground, this.#grid, this.#shadow, this.#toolShadow, this.#viewer)
    this.#scene.add(this.#body.mesh, this.#tool.mesh, this.#marks.object)
    this.#controls = new OrbitControls(this.camera, canvas)
    // The left button and one finger are the hand's; with a modifier they turn the camera.
    this.#controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.ROTATE }
    this.#controls.touches = { ONE: null, TWO: THREE.TOUCH.DOLLY_ROTATE }
    this.#controls.enablePan = false
    this.#controls.enableZoom = false
    this.#controls.maxPolarAngle = 0.49 * Math.PI
    this.#resize = new ResizeObserver(() => this.#fit())
    this.#resize.observe(this.root)
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement
  }

  get viewer(): THREE.Group {
    return this.#viewer
  }

  /** Puts another body on the table and the camera in front of it. */
  open({ bodyTriangles, toolTriangles, box }: Opened): void {
    this.#triangles = bodyTriangles
    this.#body.setTriangles(bodyTriangles)
    this.#tool.setTriangles(toolTriangles)
    const [lower, upper] = [new THREE.Vector3(...box.lower), new THREE.Vector3(...box.upper)]
    const size = lower.distanceTo(upper)
    this.#size = size
    this.#floor = lower.y
    this.#marks.size = size
    const middle = lower.clone().add(upper).multiplyScalar(0.5)
    // Squares of a tenth of the power of ten below the size.
    const square = 10 ** Math.floor(Math.log10(size))
    this.#grid.scale.setScalar(square)
    this.#ground.scale.setScalar(square)
    this.#grid.position.set(middle.x, lower.y, middle.z)
    this.#ground.position.set(middle.x, lower.y - 0.002 * size, middle.z)
    this.#shadow.position.set(middle.x, lower.y + 0.002 * size, middle.z)
    this.#shadow.scale.set(1.5 * (upper.x - lower.x), 1.5 * (upper.z - lower.z), 1)
    this.#scene.fog = new THREE.Fog(BACKGROUND, 2.4 * size, 5 * size)
    this.camera.near = size / 50
    this.camera.far = 20 * size
    this.#controls.target.set(middle.x, lower.y, middle.z).addScaledVector(LOOK_AT, size)
    const back = Math.max(1, NARROWEST / this.camera.aspect)
    this.camera.position.copy(this.#controls.target).addScaledVector(STAND, back * size)
    this.#controls.update()
    this.#fit()
  }

  /** @returns time of drawing as far as the page waits for it [ms] */
  draw(frame: Frame, seconds: number): number {
    const began = performance.now()
    this.#body.show(frame.body, frame.touched.triangles, seconds)
    this.#tool.setPositions(frame.tool)
    this.#marks.show(frame, this.#triangles)
    this.#castShadow(frame.tool)
    this.render()
    return performance.now() - began
  }

  /** The same picture from where the camera is now. */
  render(): void {
    if (!this.renderer.xr.isPresenting) this.#controls.update()
    this.renderer.render(this.#scene, this.camera)
  }

  /** In WebXR the viewer stands before the table instead of where the mouse had turned the camera. */
  standAt(table: boolean): void {
    if (table) this.#viewer.position.set(0, this.#floor - TABLE.height, TABLE.away)
    else this.#viewer.position.set(0, 0, 0)
  }

  dispose(): void {
    this.#resize.disconnect()
    this.#controls.dispose()
    this.#body.dispose()
    this.#tool.dispose()
    this.#marks.dispose()
    this.#grid.dispose()
    for (const { geometry, material } of [this.#ground, this.#shadow, this.#toolShadow]) {
      geometry.dispose()
      material.dispose()
    }
    for (const { material } of [this.#shadow, this.#toolShadow]) material.map?.dispose()
    this.renderer.setAnimationLoop(null)
    this.renderer.dispose()
  }

  /** Below the tool, weaker the higher it is: eyes judge its place by it. */
  #castShadow(tool: Float32Array): void {
    const box = new THREE.Box3().setFromArray(tool)
    const middle = box.getCenter(new THREE.Vector3())
    const sides = box.getSize(new THREE.Vector3())
    this.#toolShadow.position.set(middle.x, this.#floor + 0.003 * this.#size, middle.z)
    this.#toolShadow.scale.set(1.4 * sides.x, 1.4 * sides.z, 1)
    const height = (middle.y - this.#floor) / this.#size
    this.#toolShadow.material.opacity = Math.max(0.15, 0.75 - 0.6 * height)
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.root
    if (clientWidth === 0 || clientHeight === 0 || this.renderer.xr.isPresenting) return
    this.renderer.setSize(clientWidth, clientHeight)
    this.camera.aspect = clientWidth / clientHeight
    this.camera.updateProjectionMatrix()
    this.renderer.render(this.#scene, this.camera)
  }

  #addLights(): void {
    const key = new THREE.DirectionalLight(0xfff1e0, 2.5)
    key.position.set(0.8, 2.4, 1.6)
    const rim = new THREE.DirectionalLight(0x8fb8e8, 1.7)
    rim.position.set(-1.8, 1.1, -1.6)
    this.#scene.add(key, rim, new THREE.HemisphereLight(0xdfe9f5, 0x2a2520, 1))
  }
}
