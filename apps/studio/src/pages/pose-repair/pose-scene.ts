/** The body in space as it is made, the pose that is asked for as a ghost, and what meets in either. */
import * as THREE from 'three'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import { PullLines } from '../../draw/pull-lines.js'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import { View3D } from '../../shell/view/view-3d.js'
import { ContactLines } from './contact-lines.js'
import { LitBody } from './lit-body.js'
import type { PoseFrame, PoseOpened, Shown } from './pose-protocol.js'

const GHOST = 0x7ab0e2
/** Lines of the pose that is drawn, and of the ghost [CSS pixels]. */
const LINES = { colour: 0xffffff, width: 2.6, opacity: 0.95 }
const GHOST_LINES = { colour: 0xff8fe0, width: 1.8, opacity: 0.8 }
/** Where the camera stands, in sizes of the body from its middle. */
const STAND = new THREE.Vector3(0.32, 0.12, 1.3)
/** The same of bodies that lie: less than half as high as they are wide. */
const STAND_OVER = new THREE.Vector3(0.4, 0.72, 1.12)
/** In narrower pictures, width over height, the camera stands further back: the verdict is over the head there. */
const NARROWEST = 1.05

export class PoseScene {
  readonly view: View3D
  readonly #body = new LitBody()
  readonly #ghost = new DeformingMesh(
    new THREE.MeshStandardMaterial({
      color: GHOST,
      roughness: 0.7,
      transparent: true,
      opacity: 0.3,
      depthWrite: false,
      // Where both poses agree, the body is seen and not the ghost.
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
    }),
  )
  readonly #lines = new ContactLines(LINES.colour, LINES.width, LINES.opacity)
  readonly #ghostLines = new ContactLines(GHOST_LINES.colour, GHOST_LINES.width, GHOST_LINES.opacity)
  readonly #pull = new PullLines()
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  #opened: PoseOpened | undefined
  #vertices: Float32Array = new Float32Array(0)
  /** Of the look at the pose that the ghost has. */
  #ghostId: number | undefined

  constructor(onTurned: () => void) {
    this.view = new View3D({
      testId: 'pose-scene',
      label:
        'A body to be posed with the mouse. Space takes hold of the nearest point and lets go, arrow keys pull it then and turn the view otherwise, plus and minus zoom.',
      fieldOfView: 36,
      onTurned,
    })
    const { scene, controls } = this.view
    this.#ghost.mesh.castShadow = false
    this.#ghost.mesh.receiveShadow = false
    scene.add(this.#ground.object, this.#light.object, this.#body.mesh, this.#ghost.mesh)
    scene.add(this.#lines.object, this.#ghostLines.object, this.#pull.object)
    controls.maxPolarAngle = 0.52 * Math.PI
  }

  get mesh(): THREE.Mesh {
    return this.#body.mesh
  }

  /** Puts another body on the ground and the camera in front of it. */
  open(opened: PoseOpened): void {
    const { triangles, size, box } = opened
    this.#opened = opened
    this.#body.open(opened)
    this.#ghost.setTriangles(triangles)
    this.#ghostId = undefined
    this.#lines.clear()
    this.#ghostLines.clear()
    this.#pull.size = size
    this.#ground.setSquare(10 ** Math.floor(Math.log10(size)) / 4)
    this.#light.setSize(size)
    const { camera, controls } = this.view
    camera.near = size / 100
    camera.far = 30 * size
    camera.updateProjectionMatrix()
    controls.minDistance = 0.3 * size
    controls.maxDistance = 6 * size
    const middle = new THREE.Vector3(...box.lower).add(new THREE.Vector3(...box.upper)).multiplyScalar(0.5)
    this.#ground.object.position.set(middle.x, box.lower[1] - 0.002 * size, middle.z)
    this.#light.object.position.copy(middle)
    const [width, height, depth] = box.upper.map((end, axis) => end - box.lower[axis])
    const from = height < 0.5 * Math.max(width, depth) ? STAND_OVER : STAND
    this.view.stand(middle, from.clone().multiplyScalar(size), size, NARROWEST)
  }

  draw({ vertices, before, after, codes, pull }: PoseFrame, show: Shown): void {
    const isBefore = show === 'before'
    const hasGhost = show === 'both' && codes.before.some((value, k) => value !== codes.after[k])
    this.#vertices = isBefore ? vertices.before : vertices.after
    const look = isBefore ? before : after
    this.#body.show(this.#vertices, look)
    this.#lines.show(look)
    if (hasGhost && before.id !== this.#ghostId) {
      this.#ghostId = before.id
      this.#ghost.setPositions(vertices.before)
    }
    this.#ghost.mesh.visible = hasGhost
    this.#ghostLines.show(hasGhost ? before : undefined)
    this.#pull.show(pull)
    this.view.render()
  }

  /** Of each group of parts a place where a pointer meets it: its triangle nearest to the camera, in the window [CSS pixels]. */
  grips(): Record<string, { vertex: number; at: [number, number] }> {
    if (!this.#opened) return {}
    const { triangles, parts } = this.#opened
    const { camera, canvas } = this.view
    const nearest = new Map<string, { vertex: number; least: number }>()
    const place = new THREE.Vector3()
    for (let t = 0; t < triangles.length; t++) {
      const group = parts.groups[parts.ofTriangle[Math.trunc(t / 3)]]
      const least = place.fromArray(this.#vertices, 3 * triangles[t]).distanceToSquared(camera.position)
      if (least < (nearest.get(group)?.least ?? Infinity)) nearest.set(group, { vertex: triangles[t], least })
    }
    const { left, top, width, height } = canvas.getBoundingClientRect()
    return Object.fromEntries(
      [...nearest].map(([group, { vertex }]) => {
        place.fromArray(this.#vertices, 3 * vertex).project(camera)
        return [group, { vertex, at: [left + (width * (1 + place.x)) / 2, top + (height * (1 - place.y)) / 2] }]
      }),
    )
  }

  dispose(): void {
    for (const part of [this.#body, this.#ghost, this.#lines, this.#ghostLines, this.#pull]) part.dispose()
    this.#ground.dispose()
    this.#light.dispose()
  }
}
