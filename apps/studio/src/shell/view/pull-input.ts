/**
 * Pointer over the scene: on a body it takes hold and moves what it holds in the plane that faces the camera, elsewhere it
 * turns the view. Fingers do the same. The space bar takes hold of what is nearest to the camera, and arrow keys move it
 * until the bar is pressed again. What can be held, a vertex or a point of a body, is the page's to say.
 */
import * as THREE from 'three'
import type { View3D } from './view-3d.js'

/** Where what is held is pulled to [m], world. */
export interface Target {
  target: readonly [number, number, number]
}

/** A vertex in the visitor's hand. */
export interface Held extends Target {
  vertex: number
}

/** What can be held, each thing by a `Grip` that names it. */
export interface Grips<Grip extends object> {
  /** What a pointer can meet. */
  meshes(): readonly THREE.Mesh[]
  /** What is taken hold of where a pointer meets one of them, and where that is [m]. */
  at(hit: THREE.Intersection): Taken<Grip> | undefined
  /** What is nearest to the camera. */
  nearest(camera: THREE.Vector3): Taken<Grip> | undefined
}

interface Taken<Grip> {
  readonly grip: Grip
  readonly place: THREE.Vector3
}

/** It is pulled no further than this from where it was taken, in sizes of the body. */
const REACH = 1.5
/** A press of an arrow key moves it by this, in sizes of the body. */
const KEY_STEP = 0.04

export interface PullInputEvents<Grip> {
  /** Someone takes hold: what moves by itself ends. */
  onTake(grip: Grip): void
}

export class PullInput<Grip extends object> {
  readonly #listeners = new AbortController()
  readonly #ray = new THREE.Raycaster()
  readonly #plane = new THREE.Plane()
  readonly #from = new THREE.Vector3()
  readonly #to = new THREE.Vector3()
  #pointer: number | undefined
  #byKeys = false
  #held: (Grip & Target) | undefined
  /** Of the body [m]. */
  size = 1

  constructor(
    private readonly view: View3D,
    private readonly grips: Grips<Grip>,
    private readonly events: PullInputEvents<Grip>,
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
  get held(): (Grip & Target) | undefined {
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
    this.#held = { ...hit.grip, target: hit.place.toArray() }
    canvas.style.cursor = 'grabbing'
    this.events.onTake(hit.grip)
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
    this.#pull(this.#held)
  }

  /** From where it was taken towards `#to`, as far as it goes. */
  #pull(held: Grip & Target): void {
    const way = this.#to.sub(this.#from).clampLength(0, REACH * this.size)
    this.#held = { ...held, target: way.add(this.#from).toArray() }
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
    this.#pull(this.#held)
  }

  #takeNearest(): void {
    const nearest = this.grips.nearest(this.view.camera.position)
    if (!nearest) return
    this.#from.copy(nearest.place)
    this.#held = { ...nearest.grip, target: this.#from.toArray() }
    this.#byKeys = true
    this.events.onTake(nearest.grip)
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

  #hit(event: PointerEvent): Taken<Grip> | undefined {
    const meshes = this.grips.meshes().filter(({ visible }) => visible)
    this.#aim(event)
    const [hit] = this.#ray.intersectObjects(meshes, false)
    return hit && this.grips.at(hit)
  }
}

/** The vertices of a mesh whose vertices move. */
export function vertexGrips(mesh: () => THREE.Mesh): Grips<{ vertex: number }> {
  const place = new THREE.Vector3()
  const positions = (): THREE.BufferAttribute =>
    mesh().geometry.getAttribute('position') as unknown as THREE.BufferAttribute
  const nearestOf = (vertices: Iterable<number>, from: THREE.Vector3): Taken<{ vertex: number }> => {
    let [vertex, least] = [-1, Infinity]
    for (const v of vertices) {
      const distance = place.fromBufferAttribute(positions(), v).distanceToSquared(from)
      if (distance < least) [vertex, least] = [v, distance]
    }
    return { grip: { vertex }, place: new THREE.Vector3().fromBufferAttribute(positions(), vertex) }
  }
  return {
    meshes() {
      const shown = mesh()
      // It was made for vertices of before.
      if (shown.visible) shown.geometry.computeBoundingSphere()
      return [shown]
    },
    at: ({ face, point }) => (face ? nearestOf([face.a, face.b, face.c], point) : undefined),
    nearest: (camera) => (positions() ? nearestOf(Array(positions().count).keys(), camera) : undefined),
  }
}

/** To the right of the picture, and up in it. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}
