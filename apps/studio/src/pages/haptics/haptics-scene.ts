/** Body, hand, what touches and the table in space, and the camera, which the right button turns. */
import * as THREE from 'three'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import { skinMaterial } from '../../draw/materials.js'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import { TouchedMesh } from '../../draw/touched-mesh.js'
import { onTouch } from '../../shell/pointer-kind.js'
import { View3D } from '../../shell/view/view-3d.js'
import { ContactMarks } from './contact-marks.js'
import type { Frame, Opened } from './haptics-protocol.js'

/** Porcelain, glowing where it is touched. */
const BODY = 0xd8d2cb
const GLOW = 0xff8a2a
/** Where the camera stands, in diagonals of the body from what it looks at, and how far that is above the table. */
const STAND = new THREE.Vector3(0.36, 0.78, 1.7)
const LOOK_AT = new THREE.Vector3(0.17, 0.34, 0)
/** In narrower pictures, width over height, the camera stands further back. */
const NARROWEST = 1.15
/** In WebXR the table stands this high, and this far in front of the viewer [m]. */
const TABLE = { height: 0.95, away: 0.45 }

export class HapticsScene {
  readonly view: View3D
  /** Carries the camera and controllers, so that a viewer in WebXR stands before the table. */
  readonly viewer = new THREE.Group()
  readonly #body = new TouchedMesh(BODY, GLOW)
  readonly #tool = new DeformingMesh(skinMaterial())
  readonly #marks = new ContactMarks()
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  #triangles: Uint32Array = new Uint32Array(0)
  #floor = 0

  constructor(onTurned: () => void) {
    this.view = new View3D({
      testId: 'haptics-scene',
      label:
        'A soft hand and a soft body. Arrow keys move the hand, Page Up and Page Down push it away and pull it near, comma and full stop turn it. Shift with arrow keys turns the view, plus and minus zoom.',
      fieldOfView: 36,
      keys: 'shift',
      onTurned,
    })
    const { scene, controls, camera } = this.view
    this.viewer.add(camera)
    scene.add(this.#ground.object, this.#light.object, this.viewer)
    scene.add(this.#body.mesh, this.#tool.mesh, this.#marks.object)
    // The left button and one finger are the hand's; with a modifier they turn the camera.
    controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.ROTATE }
    controls.touches = { ONE: null, TWO: THREE.TOUCH.DOLLY_ROTATE }
    controls.enablePan = false
    // The wheel pushes the hand away; fingers that pinch have nothing else to do.
    controls.enableZoom = onTouch()
    controls.maxPolarAngle = 0.49 * Math.PI
  }

  /** Puts another body on the table and the camera in front of it. */
  open({ bodyTriangles, toolTriangles, box }: Opened): void {
    this.#triangles = bodyTriangles
    this.#body.setTriangles(bodyTriangles)
    this.#tool.setTriangles(toolTriangles)
    const [lower, upper] = [new THREE.Vector3(...box.lower), new THREE.Vector3(...box.upper)]
    const size = lower.distanceTo(upper)
    this.#floor = lower.y
    this.#marks.size = size
    const middle = lower.clone().add(upper).multiplyScalar(0.5)
    // Squares of a tenth of the power of ten below the size.
    this.#ground.setSquare(0.1 * 10 ** Math.floor(Math.log10(size)))
    this.#ground.object.position.set(middle.x, lower.y - 0.002 * size, middle.z)
    this.#light.setSize(size)
    this.#light.object.position.copy(middle)
    const { camera, controls } = this.view
    camera.near = size / 50
    camera.far = 20 * size
    camera.updateProjectionMatrix()
    controls.minDistance = 0.6 * size
    controls.maxDistance = 6 * size
    const home = new THREE.Vector3(middle.x, lower.y, middle.z).addScaledVector(LOOK_AT, size)
    this.view.stand(home, STAND.clone().multiplyScalar(size), size, NARROWEST)
  }

  /** @param seconds since the frame before @returns time of drawing as far as the page waits for it [ms] */
  draw(frame: Frame, seconds: number): number {
    const began = performance.now()
    this.#body.show(frame.vertices.body, frame.touched.triangles, seconds)
    this.#tool.setPositions(frame.vertices.tool)
    this.#marks.show(frame, this.#triangles)
    this.view.render()
    return performance.now() - began
  }

  /** In WebXR the viewer stands before the table instead of where the mouse had turned the camera. */
  standAt(table: boolean): void {
    if (table) this.viewer.position.set(0, this.#floor - TABLE.height, TABLE.away)
    else this.viewer.position.set(0, 0, 0)
  }

  dispose(): void {
    for (const part of [this.#body, this.#tool, this.#marks, this.#ground, this.#light]) part.dispose()
  }
}
