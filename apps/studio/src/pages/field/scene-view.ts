/**
 * The object in space: shaded surface, ground grid, and the slice as a picture standing in it. The half in front of
 * the slice can be cut away (it stays as a ghost), so that the inside of the field is seen. Draws when something
 * changed, not all the time.
 */
import type { Box } from 'pliant'
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { distanceToSee, FIELD_OF_VIEW, VIEW_FROM } from './camera-fit.js'
import { PlaneHandle } from './plane-handle.js'
import type { SliceGrid, SlicePlane } from './slice-plane.js'
import { SliceQuad } from './slice-quad.js'
import { SurfaceMesh } from './surface-mesh.js'

const BACKGROUND = 0x12161c

export interface SceneViewEvents {
  /** The slice was dragged to another place on its axis [m]. */
  onDrag(at: number): void
}

export class SceneView {
  readonly root = document.createElement('div')
  readonly #renderer = new THREE.WebGLRenderer({ antialias: true })
  readonly #scene = new THREE.Scene()
  readonly #camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100)
  readonly #controls: OrbitControls
  readonly #handle: PlaneHandle
  readonly #quad = new SliceQuad()
  readonly #resize: ResizeObserver
  #surface: SurfaceMesh | undefined
  #ground: THREE.GridHelper | undefined
  #plane: SlicePlane = { axis: 2, at: 0 }
  #cutAway = true
  #domain: Box | undefined
  /** Nobody has turned the view yet, so it may be fitted again. */
  #untouched = true
  #scheduled = 0

  constructor(events: SceneViewEvents) {
    this.root.className = 'scene'
    const canvas = this.#renderer.domElement
    canvas.dataset['testid'] = 'scene'
    canvas.setAttribute('role', 'img')
    canvas.setAttribute('aria-label', 'The object in space; drag to turn, wheel to zoom')
    this.root.append(canvas)
    this.#renderer.localClippingEnabled = true
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#scene.background = new THREE.Color(BACKGROUND)
    this.#addLights()
    this.#scene.add(this.#quad.object)

    this.#controls = new OrbitControls(this.#camera, canvas)
    this.#controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#controls.addEventListener('change', () => this.#draw())
    this.#controls.addEventListener('start', () => {
      this.#untouched = false
    })
    this.#handle = new PlaneHandle(this.#camera, canvas, {
      onDrag: events.onDrag,
      onHold: (held) => {
        this.#controls.enabled = !held
      },
      onHover: () => this.#draw(),
    })
    this.#scene.add(this.#handle.object)
    this.#resize = new ResizeObserver(() => this.#fit())
    this.#resize.observe(this.root)
  }

  /** Puts another object on show and the camera where it sees all of the domain. */
  setObject(positions: Float64Array, triangles: Uint32Array, domain: Box): void {
    this.#surface?.dispose()
    const lower = new THREE.Vector3(...domain.lower)
    const upper = new THREE.Vector3(...domain.upper)
    const size = lower.distanceTo(upper)
    this.#surface = new SurfaceMesh(positions, triangles, size)
    this.#scene.add(this.#surface.object)
    const middle = lower.clone().add(upper).multiplyScalar(0.5)
    this.#ground?.removeFromParent()
    this.#ground?.dispose()
    // Squares of a tenth of the power of ten below the size: centimetres to a bar of a metre would be too many.
    const square = 10 ** Math.floor(Math.log10(size))
    this.#ground = new THREE.GridHelper(2 * square, 20, 0x3a4656, 0x232b36)
    this.#ground.position.set(middle.x, domain.lower[1], middle.z)
    this.#scene.add(this.#ground)
    this.#handle.setDomain(domain)
    this.#camera.near = size / 100
    this.#camera.far = size * 20
    this.#domain = domain
    this.#untouched = true
    this.#controls.target.copy(middle)
    this.#controls.minDistance = size / 10
    this.#controls.maxDistance = size * 6
    this.#fit()
  }

  setPositions(positions: Float64Array): void {
    this.#surface?.setPositions(positions)
    this.#draw()
  }

  /** rgb of every vertex, 0 to 1 in linear light, or undefined for the plain surface. */
  setColours(colours: Float32Array | undefined): void {
    this.#surface?.setColours(colours)
    this.#draw()
  }

  /** Moves the slice; `picture` covers the grid's bounds. */
  setSlice(grid: SliceGrid, picture: HTMLCanvasElement): void {
    this.#plane = grid.plane
    this.#quad.show(grid, picture)
    this.#handle.setPlane(grid.plane)
    this.#draw()
  }

  set cutAway(on: boolean) {
    this.#cutAway = on
    this.#draw()
  }

  dispose(): void {
    cancelAnimationFrame(this.#scheduled)
    this.#resize.disconnect()
    this.#handle.dispose()
    this.#controls.dispose()
    this.#surface?.dispose()
    this.#ground?.dispose()
    this.#quad.dispose()
    this.#renderer.dispose()
  }

  #draw(): void {
    this.#scheduled ||= requestAnimationFrame(() => {
      this.#scheduled = 0
      // While it turns on by itself, update() fires 'change' and so asks for the next frame.
      this.#controls.update()
      const side = Math.sign(this.#camera.position.getComponent(this.#plane.axis) - this.#plane.at) || 1
      this.#surface?.cut(this.#cutAway ? { plane: this.#plane, side } : undefined)
      this.#renderer.render(this.#scene, this.#camera)
    })
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.root
    if (clientWidth === 0 || clientHeight === 0) return
    this.#renderer.setSize(clientWidth, clientHeight)
    this.#camera.aspect = clientWidth / clientHeight
    this.#camera.updateProjectionMatrix()
    if (this.#untouched && this.#domain) this.#seeAll(this.#domain)
    this.#draw()
  }

  #seeAll(domain: Box): void {
    const distance = distanceToSee(domain, VIEW_FROM, FIELD_OF_VIEW, this.#camera.aspect)
    this.#camera.position.copy(this.#controls.target).addScaledVector(new THREE.Vector3(...VIEW_FROM), distance)
    this.#controls.update()
  }

  #addLights(): void {
    this.#scene.add(new THREE.HemisphereLight(0xdfe9f5, 0x2a2520, 1.5))
    const key = new THREE.DirectionalLight(0xfff4e6, 2.4)
    key.position.set(0.6, 1.2, 0.9)
    const rim = new THREE.DirectionalLight(0x9cc4f0, 1.1)
    rim.position.set(-0.8, 0.4, -1)
    this.#scene.add(key, rim)
  }
}
