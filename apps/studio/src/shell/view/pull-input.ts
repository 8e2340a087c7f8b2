/**
 * Pointer over the scene: on the body it takes hold of a vertex and moves it in the plane that faces the camera,
 * elsewhere it turns the view. Fingers do the same. The space bar takes hold of the vertex nearest to the camera, and arrow
 * keys move it until the bar is pressed again.
 */
import * as THREE from 'three'
import type { View3D } from './view-3d.js'

/** A vertex in the visitor's hand, and where it is pulled to [m], world. */
export interface Held {
  vertex: number
  target: readonly [number, number, number]
}

/** A vertex is pulled no further than this from where it was taken, in sizes of the body. */
const REACH = 1.5
/** A press of an arrow key moves it by this, in sizes of the body. */
const KEY_STEP = 0.04

export interface PullInputEvents {
  /** Someone takes hold of a vertex: what moves by itself ends. */
  onTake(vertex: number): void
}

export class PullInput {
  readonly #listeners = new AbortController()
  readonly #ray = new THREE.Raycaster()
  readonly #plane = new THREE.Plane()
  readonly #from = new THREE.Vector3()
  readonly #to = new THREE.Vector3()
  #pointer: number | undefined
  #byKeys = false
  #held: { vertex: number; target: [number, number, number] } | undefined
  /** Of the body [m]. */
  size = 1

  constructor(
    private readonly view: View3D,
    private readonly mesh: () => THREE.Mesh,
    private readonly events: PullInputEvents,
  ) {
    const { canvas } = view
    const { signal } = this.#listeners
    // Before the camera's own listeners, which turn the view unless they are told not to.
    canvas.addEventListener('pointerdown', (event) => this.#take(event), { signal, capture: true })
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal })
    canvas.addEventListener('keydown', (event) => this.#key(event), { signal, capture: true })
    canvas.addEventListener(
      'blur',
      () => {
        if (this.#byKeys) this.release()
      },
      { signal },
    )
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, (event) => this.#release(event), { signal })
    }
  }

  /** A new object whenever the target moves; undefined while nobody holds anything. */
  get held(): Held | undefined {
    return this.#held
  }

  /** Lets go, as when another body is opened. */
  release(): void {
    this.#pointer = undefined
    this.#byKeys = false
    this.#held = undefined
    this.view.controls.enabled = true
  }

  dispose(): void {
    this.#listeners.abort()
  }

  #take(event: PointerEvent): void {
    if (event.button !== 0 || this.#pointer !== undefined || event.shiftKey || event.ctrlKey || event.metaKey) return
    const hit = this.#hit(event)
    if (!hit) return
    const { canvas, controls, camera } = this.view
    this.#pointer = event.pointerId
    this.#byKeys = false
    controls.enabled = false
    canvas.setPointerCapture(event.pointerId)
    this.#from.copy(hit.place)
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), hit.place)
    this.#held = { vertex: hit.vertex, target: hit.place.toArray() }
    canvas.style.cursor = 'grabbing'
    this.events.onTake(hit.vertex)
  }

  #move(event: PointerEvent): void {
    if (this.#pointer === undefined) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        this.view.canvas.style.cursor = this.#hit(event) ? 'grab' : ''
      }
      return
    }
    if (event.pointerId !== this.#pointer || !this.#held) return
    this.#aim(event)
    if (!this.#ray.ray.intersectPlane(this.#plane, this.#to)) return
    this.#pullTo(this.#held.vertex)
  }

  /** From where it was taken towards `#to`, as far as it goes. */
  #pullTo(vertex: number): void {
    const way = this.#to.sub(this.#from).clampLength(0, REACH * this.size)
    this.#held = { vertex, target: way.add(this.#from).toArray() }
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === ' ') {
      event.preventDefault()
      if (this.#byKeys) this.release()
      else if (this.#pointer === undefined && !event.repeat) this.#takeNearest()
      return
    }
    const move = MOVES[event.key]
    if (!move || !this.#byKeys || !this.#held) return
    event.preventDefault()
    // Otherwise they turn the view.
    event.stopImmediatePropagation()
    const { matrixWorld } = this.view.camera
    this.#to.fromArray(this.#held.target)
    for (const [column, share] of move.entries()) {
      this.#to.addScaledVector(
        new THREE.Vector3().setFromMatrixColumn(matrixWorld, column),
        share * KEY_STEP * this.size,
      )
    }
    this.#pullTo(this.#held.vertex)
  }

  #takeNearest(): void {
    const positions = this.mesh().geometry.getAttribute('position') as THREE.BufferAttribute | undefined
    if (!positions) return
    const place = new THREE.Vector3()
    let [vertex, least] = [0, Infinity]
    for (let v = 0; v < positions.count; v++) {
      const distance = place.fromBufferAttribute(positions, v).distanceToSquared(this.view.camera.position)
      if (distance < least) [vertex, least] = [v, distance]
    }
    this.#from.fromBufferAttribute(positions, vertex)
    this.#held = { vertex, target: this.#from.toArray() }
    this.#byKeys = true
    this.events.onTake(vertex)
  }

  #release({ pointerId }: PointerEvent): void {
    if (pointerId !== this.#pointer) return
    this.view.canvas.style.cursor = ''
    this.release()
  }

  #aim({ clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = this.view.canvas.getBoundingClientRect()
    const place = new THREE.Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height)
    this.#ray.setFromCamera(place, this.view.camera)
  }

  /** The vertex nearest to where the pointer meets the body. */
  #hit(event: PointerEvent): { vertex: number; place: THREE.Vector3 } | undefined {
    const mesh = this.mesh()
    if (!mesh.visible) return undefined
    // It was made for vertices of before.
    mesh.geometry.computeBoundingSphere()
    this.#aim(event)
    const [hit] = this.#ray.intersectObject(mesh, false)
    if (!hit?.face) return undefined
    const positions = mesh.geometry.getAttribute('position') as THREE.BufferAttribute
    let [vertex, least] = [hit.face.a, Infinity]
    const place = new THREE.Vector3()
    for (const corner of [hit.face.a, hit.face.b, hit.face.c]) {
      const distance = place.fromBufferAttribute(positions, corner).distanceToSquared(hit.point)
      if (distance < least) [vertex, least] = [corner, distance]
    }
    return { vertex, place: place.fromBufferAttribute(positions, vertex) }
  }
}

/** To the right of the picture, and up in it. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}
