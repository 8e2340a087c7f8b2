/** Bodies, their tray, what touches and what overlaps in space. */
import * as THREE from 'three'
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js'
import { PullLines } from '../../draw/pull-lines.js'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import type { Grips } from '../../shell/view/pull-input.js'
import { View3D } from '../../shell/view/view-3d.js'
import { ContactMarksView } from './contact-marks.js'
import { OverlapBoxes } from './overlap-boxes.js'
import { PartBoxes } from './part-boxes.js'
import type { BodyGrip, DrawnKind, DrawnPile, Frame, KindBoxes, OverlapLook, PileSettings } from './pile-protocol.js'

/** One after the other for kinds. */
const COLOURS = [0xd8d2cb, 0x6fa8a0, 0xd98f6a, 0xc25b6e, 0x8fb26b, 0x7e93c9, 0xd9b65c, 0xa582b8] as const
/** Of the two whose overlap is looked at. */
const CHOSEN = 0x3a2410
const TRAY = 0x3a4655
const WALL_OPACITY = 0.15
/** Edges sharper than this are seen as edges [rad]. */
const CREASE = 0.6
/** Where the camera stands, in widths of the tray from what it looks at, and how high that is. */
const STAND = new THREE.Vector3(0.62, 1.1, 1.5)
const LOOK_AT = 0.02
/** In narrower pictures, width over height, the camera stands further back. */
const NARROWEST = 1.1

export class PileView {
  readonly view: View3D
  readonly #marks = new ContactMarksView()
  readonly #boxes = new PartBoxes()
  readonly #cells = new OverlapBoxes()
  readonly #pull = new PullLines()
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  readonly #tray = new THREE.Group()
  readonly #pile = new THREE.Group()
  readonly #materials: THREE.MeshStandardMaterial[] = []
  #bodies: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>[] = []
  #kinds: THREE.BufferGeometry[] = []
  #overlap: OverlapLook | undefined
  #tray0: DrawnPile['tray'] | undefined

  constructor(onTurned: () => void) {
    this.view = new View3D({
      testId: 'sdf-contact-scene',
      label:
        'Rigid bodies in a tray, to be dragged with the mouse. Space takes hold of the nearest and lets go, arrow keys drag it then and turn the view otherwise, plus and minus zoom.',
      fieldOfView: 36,
      onTurned,
    })
    const { scene, controls } = this.view
    scene.add(this.#ground.object, this.#light.object, this.#tray, this.#pile)
    scene.add(this.#boxes.object, this.#cells.object, this.#marks.object, this.#pull.object)
    controls.enablePan = false
    controls.maxPolarAngle = 0.49 * Math.PI
  }

  /** What can be dragged: any point of any body. */
  get grips(): Grips<BodyGrip> {
    const taken = (body: number, place: THREE.Vector3): { grip: BodyGrip; place: THREE.Vector3 } => {
      const [x, y, z] = this.#bodies[body].worldToLocal(place.clone()).toArray()
      return { grip: { body, point: [x, y, z] }, place }
    }
    return {
      meshes: () => this.#bodies,
      at: ({ object, point }) => taken(this.#bodies.indexOf(object as never), point),
      nearest: (camera) => {
        const body = this.#nearest(camera)
        return body < 0 ? undefined : taken(body, this.#middleOf(body))
      },
    }
  }

  get drawn(): { dots: number; arrows: number; boxes: number; inside: number; border: number } {
    return { ...this.#marks.drawn, boxes: this.#boxes.drawn, ...this.#cells.drawn }
  }

  /** Puts other bodies into the scene; the camera stays unless the tray is another. */
  open({ kinds, bodies, tray, size }: DrawnPile): void {
    this.#clearPile()
    this.#kinds = kinds.map(geometryOf)
    bodies.forEach((kind) => {
      const material = new THREE.MeshStandardMaterial({ color: COLOURS[kind % COLOURS.length], roughness: 0.58 })
      const mesh = new THREE.Mesh(this.#kinds[kind], material)
      mesh.matrixAutoUpdate = false
      mesh.castShadow = true
      mesh.receiveShadow = true
      this.#materials.push(material)
      this.#bodies.push(mesh)
      this.#pile.add(mesh)
    })
    this.#boxes.open(bodies)
    this.#marks.size = size
    this.#pull.size = 2 * size
    this.showOverlap(undefined)
    const before = this.#tray0
    this.#tray0 = tray
    if (before?.half !== tray.half) this.#openTray(tray)
  }

  /** Another of the kinds in the pile has been cut. */
  addBoxes(boxes: KindBoxes): void {
    this.#boxes.add(boxes)
  }

  /** @param look  undefined for none */
  showOverlap(look: OverlapLook | undefined): void {
    this.#overlap = look
    this.#cells.show(look)
    this.#bodies.forEach(({ material }, i) => {
      material.emissive.setHex(look?.bodies.includes(i) ? CHOSEN : 0)
    })
  }

  /** @returns time of drawing as far as the page waits for it [ms] */
  draw({ vertices: { poses }, contacts, pull }: Frame, { marks, boxes }: PileSettings): number {
    const began = performance.now()
    this.#bodies.forEach((mesh, i) => {
      mesh.matrix.fromArray(poses, 16 * i)
      mesh.matrixWorldNeedsUpdate = true
    })
    if (this.#overlap) this.#cells.place(poses.subarray(16 * this.#overlap.bodies[0]))
    this.#boxes.show(boxes === 'on', poses)
    this.#marks.show(contacts, marks)
    this.#pull.show(pull)
    this.view.render()
    return performance.now() - began
  }

  /** Where in the window a pointer can take hold of the body that is nearest to the camera [CSS pixels]. */
  grip(): readonly [number, number] {
    const { camera, canvas } = this.view
    const mesh = this.#bodies[this.#nearest(camera.position)]
    const positions = mesh.geometry.getAttribute('position')
    const index = mesh.geometry.index
    const [place, corner] = [new THREE.Vector3(), new THREE.Vector3()]
    let [least, nearest] = [Infinity, new THREE.Vector3()]
    const count = index ? index.count : positions.count
    for (let t = 0; t < count; t += 3) {
      place.set(0, 0, 0)
      for (let k = 0; k < 3; k++) {
        place.add(corner.fromBufferAttribute(positions as THREE.BufferAttribute, index ? index.getX(t + k) : t + k))
      }
      place.divideScalar(3).applyMatrix4(mesh.matrixWorld)
      const distance = place.distanceToSquared(camera.position)
      if (distance < least) [least, nearest] = [distance, place.clone()]
    }
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const { x, y } = nearest.project(camera)
    return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height]
  }

  dispose(): void {
    this.#clearPile()
    this.#clearTray()
    for (const part of [this.#marks, this.#boxes, this.#cells, this.#pull, this.#ground, this.#light]) part.dispose()
  }

  #nearest(from: THREE.Vector3): number {
    let [nearest, least] = [-1, Infinity]
    this.#bodies.forEach((_, i) => {
      const distance = this.#middleOf(i).distanceToSquared(from)
      if (distance < least) [nearest, least] = [i, distance]
    })
    return nearest
  }

  #middleOf(body: number): THREE.Vector3 {
    const mesh = this.#bodies[body]
    if (!mesh.geometry.boundingSphere) mesh.geometry.computeBoundingSphere()
    return mesh.geometry.boundingSphere!.center.clone().applyMatrix4(mesh.matrixWorld)
  }

  #openTray({ half, height, thickness }: DrawnPile['tray']): void {
    this.#clearTray()
    const floor = new THREE.MeshStandardMaterial({ color: TRAY, roughness: 0.9 })
    const wall = new THREE.MeshStandardMaterial({
      color: 0x8fa3bb,
      roughness: 0.4,
      transparent: true,
      opacity: WALL_OPACITY,
      depthWrite: false,
    })
    const side = 2 * (half + thickness)
    this.#addPart(floor, [side, thickness, side], [0, -thickness / 2, 0])
    for (const sign of [-1, 1]) {
      const out = sign * (half + thickness / 2)
      this.#addPart(wall, [thickness, height, side], [out, height / 2, 0])
      this.#addPart(wall, [side - 2 * thickness, height, thickness], [0, height / 2, out])
    }
    const width = 2 * half
    this.#ground.setSquare(0.2)
    this.#ground.object.position.y = -thickness
    this.#light.setSize(1.1 * width)
    const { camera, controls } = this.view
    camera.near = width / 50
    camera.far = 30 * width
    camera.updateProjectionMatrix()
    controls.minDistance = 0.3 * width
    controls.maxDistance = 5 * width
    this.view.stand(new THREE.Vector3(0, LOOK_AT * width, 0), STAND.clone().multiplyScalar(width), width, NARROWEST)
  }

  #addPart(material: THREE.Material, [x, y, z]: readonly number[], at: readonly number[]): void {
    const part = new THREE.Mesh(new THREE.BoxGeometry(x, y, z), material)
    part.position.fromArray(at as number[])
    part.receiveShadow = true
    this.#tray.add(part)
  }

  #clearTray(): void {
    for (const part of this.#tray.children as THREE.Mesh<THREE.BufferGeometry, THREE.Material>[]) {
      part.geometry.dispose()
      part.material.dispose()
    }
    this.#tray.clear()
  }

  #clearPile(): void {
    for (const each of [...this.#kinds, ...this.#materials]) each.dispose()
    this.#pile.clear()
    this.#kinds = []
    this.#materials.length = 0
    this.#bodies = []
  }
}

function geometryOf({ positions, triangles, hasEdges }: DrawnKind): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3))
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1))
  if (hasEdges) {
    const creased = toCreasedNormals(geometry, CREASE)
    geometry.dispose()
    return creased
  }
  geometry.computeVertexNormals()
  return geometry
}
