/**
 * The object in space: shaded surface, ground grid, and the slice as a picture standing in it. The half in front of
 * the slice can be cut away (it stays as a ghost), so that the inside of the field is seen. Draws when something
 * changed, not all the time.
 */
import type { Box } from 'pliant'
import * as THREE from 'three'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import { View3D } from '../../shell/view/view-3d.js'
import { distanceToSee, FIELD_OF_VIEW, VIEW_FROM } from './camera-fit.js'
import { PlaneHandle } from './plane-handle.js'
import type { SliceGrid, SlicePlane } from './slice-plane.js'
import { SliceQuad } from './slice-quad.js'
import { SurfaceMesh } from './surface-mesh.js'

export interface SceneViewEvents {
  /** The slice was dragged to another place on its axis [m]. */
  onDrag(at: number): void
  onTurned(): void
}

export class SceneView {
  readonly view: View3D
  readonly #handle: PlaneHandle
  readonly #quad = new SliceQuad()
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  #surface: SurfaceMesh | undefined
  #plane: SlicePlane = { axis: 2, at: 0 }
  #cutAway = true
  #domain: Box | undefined
  #scheduled = 0

  constructor(events: SceneViewEvents) {
    this.view = new View3D({
      testId: 'scene',
      label: 'The object in space. Arrow keys turn the view, plus and minus zoom.',
      fieldOfView: FIELD_OF_VIEW,
      onTurned: events.onTurned,
      onStale: () => this.#stale(),
    })
    const { scene, camera, canvas, controls, renderer } = this.view
    renderer.localClippingEnabled = true
    controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches
    controls.addEventListener('change', () => this.#draw())
    this.#handle = new PlaneHandle(camera, canvas, {
      onDrag: events.onDrag,
      onHold: (held) => {
        controls.enabled = !held
      },
      onHover: () => this.#draw(),
    })
    scene.add(this.#quad.object, this.#handle.object, this.#ground.object, this.#light.object)
  }

  /** Puts another object on show and the camera where it sees all of the domain. */
  setObject(positions: Float64Array, triangles: Uint32Array, domain: Box): void {
    this.#surface?.dispose()
    const lower = new THREE.Vector3(...domain.lower)
    const upper = new THREE.Vector3(...domain.upper)
    const size = lower.distanceTo(upper)
    this.#surface = new SurfaceMesh(positions, triangles, size)
    const { scene, camera, controls } = this.view
    scene.add(this.#surface.object)
    const middle = lower.clone().add(upper).multiplyScalar(0.5)
    // Squares of a tenth of the power of ten below the size: centimetres to a bar of a metre would be too many.
    this.#ground.setSquare(0.1 * 10 ** Math.floor(Math.log10(size)))
    this.#ground.object.position.set(middle.x, domain.lower[1], middle.z)
    this.#light.setSize(size)
    this.#light.object.position.copy(middle)
    this.#handle.setDomain(domain)
    camera.near = size / 100
    camera.far = size * 20
    camera.updateProjectionMatrix()
    this.#domain = domain
    controls.minDistance = size / 10
    controls.maxDistance = size * 6
    this.#seeAll(domain)
    this.#draw()
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
    this.#handle.dispose()
    this.#surface?.dispose()
    this.#ground.dispose()
    this.#light.dispose()
    this.#quad.dispose()
    this.view.dispose()
  }

  #stale(): void {
    // Nobody has turned the view yet, so it may be fitted to another size.
    if (this.#domain && this.view.untouched) this.#seeAll(this.#domain)
    this.#draw()
  }

  #draw(): void {
    this.#scheduled ||= requestAnimationFrame(() => {
      this.#scheduled = 0
      const side = Math.sign(this.view.camera.position.getComponent(this.#plane.axis) - this.#plane.at) || 1
      this.#surface?.cut(this.#cutAway ? { plane: this.#plane, side } : undefined)
      // While it turns on by itself, this fires 'change' and so asks for the next frame.
      this.view.render()
    })
  }

  #seeAll(domain: Box): void {
    const [lower, upper] = [new THREE.Vector3(...domain.lower), new THREE.Vector3(...domain.upper)]
    const distance = distanceToSee(domain, VIEW_FROM, FIELD_OF_VIEW, this.view.aspect)
    const from = new THREE.Vector3(...VIEW_FROM).multiplyScalar(distance)
    this.view.stand(lower.clone().add(upper).multiplyScalar(0.5), from, lower.distanceTo(upper))
  }
}
