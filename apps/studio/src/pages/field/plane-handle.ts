/** A pair of arrows at the slice's corner that drags it along its axis. */
import type { Box } from 'pliant'
import * as THREE from 'three'
import { placeOnLine } from './place-on-line.js'
import type { SlicePlane } from './slice-plane.js'

const COLOUR = 0xf2a054
const HELD_COLOUR = 0xffd9a8

export interface PlaneHandleEvents {
  /** [m] on the plane's axis, inside the domain. */
  onDrag(at: number): void
  onHold(held: boolean): void
  onHover(): void
}

export class PlaneHandle {
  readonly object = new THREE.Group()
  readonly #arrows = new THREE.Group()
  readonly #material = new THREE.MeshStandardMaterial({ color: COLOUR, roughness: 0.5 })
  readonly #target: THREE.Mesh
  readonly #ray = new THREE.Raycaster()
  readonly #listeners = new AbortController()
  #domain: Box | undefined
  #plane: SlicePlane = { axis: 2, at: 0 }
  /** Between the pointer and the plane when it was taken hold of [m]. */
  #grip: number | undefined

  constructor(
    private readonly camera: THREE.PerspectiveCamera,
    private readonly canvas: HTMLCanvasElement,
    private readonly events: PlaneHandleEvents,
  ) {
    const cone = new THREE.ConeGeometry(0.4, 1, 24)
    for (const way of [1, -1]) {
      const arrow = new THREE.Mesh(cone, this.#material)
      arrow.position.y = 0.75 * way
      arrow.rotation.x = way > 0 ? 0 : Math.PI
      this.#arrows.add(arrow)
    }
    // Larger than the arrows: easier to hit.
    this.#target = new THREE.Mesh(new THREE.SphereGeometry(1.5), new THREE.MeshBasicMaterial())
    this.#target.visible = false
    this.object.add(this.#arrows, this.#target)
    const { signal } = this.#listeners
    // On the way down, before the camera's own handler sees the event.
    canvas.addEventListener('pointerdown', (event) => this.#take(event), { signal, capture: true })
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal })
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, () => this.#release(), { signal })
    }
  }

  setDomain(domain: Box): void {
    this.#domain = domain
    const size = new THREE.Vector3(...domain.lower).distanceTo(new THREE.Vector3(...domain.upper))
    this.object.scale.setScalar(size / 45)
    this.setPlane(this.#plane)
  }

  setPlane(plane: SlicePlane): void {
    this.#plane = plane
    if (!this.#domain) return
    this.object.position.set(...this.#domain.upper).setComponent(plane.axis, plane.at)
    // Cones point along y; turn that to the plane's axis.
    const along = new THREE.Vector3().setComponent(plane.axis, 1)
    this.#arrows.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along)
  }

  dispose(): void {
    this.#listeners.abort()
    this.#material.dispose()
  }

  #aim(event: PointerEvent): void {
    const { width, height, left, top } = this.canvas.getBoundingClientRect()
    const pointer = new THREE.Vector2(
      (2 * (event.clientX - left)) / width - 1,
      1 - (2 * (event.clientY - top)) / height,
    )
    this.#ray.setFromCamera(pointer, this.camera)
  }

  #hits(event: PointerEvent): boolean {
    this.#aim(event)
    return this.#domain !== undefined && this.#ray.intersectObject(this.#target).length > 0
  }

  /** Where the pointer is on the line along which the handle moves [m]; undefined if it looks along that line. */
  #place(): number | undefined {
    const { origin, direction } = this.#ray.ray
    return placeOnLine(origin.toArray(), direction.toArray(), this.object.position.toArray(), this.#plane.axis)
  }

  #take(event: PointerEvent): void {
    if (event.button !== 0 || !this.#hits(event)) return
    const place = this.#place()
    if (place === undefined) return
    this.#grip = place - this.#plane.at
    this.canvas.setPointerCapture(event.pointerId)
    this.events.onHold(true)
  }

  #move(event: PointerEvent): void {
    if (this.#grip === undefined) {
      if (event.buttons === 0) this.#highlight(this.#hits(event))
      return
    }
    this.#aim(event)
    const place = this.#place()
    if (place === undefined || !this.#domain) return
    const { axis } = this.#plane
    this.events.onDrag(Math.min(this.#domain.upper[axis], Math.max(this.#domain.lower[axis], place - this.#grip)))
  }

  #release(): void {
    if (this.#grip === undefined) return
    this.#grip = undefined
    this.events.onHold(false)
    this.#highlight(false)
  }

  #highlight(on: boolean): void {
    const colour = on ? HELD_COLOUR : COLOUR
    this.canvas.style.cursor = on ? 'grab' : ''
    if (this.#material.color.getHex() === colour) return
    this.#material.color.setHex(colour)
    this.events.onHover()
  }
}
