/** Body, table and pulls in space. What meets itself glows; the camera goes with the body while nobody holds it. */
import * as THREE from 'three'
import { PullLines } from '../../draw/pull-lines.js'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import { TouchedMesh } from '../../draw/touched-mesh.js'
import { View3D } from '../../shell/view/view-3d.js'
import type { Frame, Opened } from './contact-protocol.js'

const BODY = 0x6fa8a0
const GLOW = 0xff3d1f
/** Where the camera stands, in sizes of the body from what it looks at. */
const STAND = new THREE.Vector3(0.4, 0.72, 1.12)
/** In narrower pictures, width over height, the camera stands further back. */
const NARROWEST = 1.05
/** The camera's rate of following [1/s]: a pull does not shake it. */
const FOLLOW = 2.5

export class ContactScene {
  readonly view: View3D
  readonly #body = new TouchedMesh(BODY, GLOW)
  readonly #pulls = new PullLines()
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  readonly #followed = new THREE.Vector3()
  #triangles: Uint32Array = new Uint32Array(0)
  #vertices: Float32Array = new Float32Array(0)
  #size = 1

  constructor(onTurned: () => void) {
    this.view = new View3D({
      testId: 'contact-scene',
      label:
        'A soft body on a table, to be pulled with the mouse. Space takes hold of it and lets go, arrow keys pull it then and turn the view otherwise, plus and minus zoom.',
      fieldOfView: 36,
      onTurned,
    })
    const { scene, controls } = this.view
    scene.add(this.#ground.object, this.#light.object, this.#body.mesh, this.#pulls.object)
    controls.enablePan = false
    controls.maxPolarAngle = 0.49 * Math.PI
  }

  get mesh(): THREE.Mesh {
    return this.#body.mesh
  }

  /** Puts another body on the table and the camera in front of it. */
  open({ triangles, size, start }: Opened): void {
    this.#triangles = triangles
    this.#size = size
    this.#body.setTriangles(triangles)
    this.#pulls.size = size
    // Squares of a tenth of the power of ten below the size.
    this.#ground.setSquare(10 ** Math.floor(Math.log10(size)) / 5)
    this.#light.setSize(1.2 * size)
    const { camera, controls } = this.view
    camera.near = size / 50
    camera.far = 30 * size
    camera.updateProjectionMatrix()
    controls.minDistance = 0.5 * size
    controls.maxDistance = 6 * size
    this.#followed.set(start[0], 0, start[2])
    this.#stayBelow()
    const home = new THREE.Vector3(start[0], Math.min(start[1], 0.3 * size), start[2])
    this.view.stand(home, STAND.clone().multiplyScalar(size), size, NARROWEST)
  }

  /** @param seconds since the frame before @param follow  nobody holds it @returns time of drawing as far as the page waits for it [ms] */
  draw({ vertices, look, pulls, position }: Frame, seconds: number, follow: boolean): number {
    const began = performance.now()
    this.#vertices = vertices.body
    this.#body.show(vertices.body, look.triangles, seconds)
    this.#pulls.show(pulls)
    if (follow) {
      const share = 1 - Math.exp(-FOLLOW * Math.min(seconds, 0.2))
      const move = new THREE.Vector3(position[0], 0, position[2]).sub(this.#followed).multiplyScalar(share)
      this.#followed.add(move)
      this.view.follow(move)
      this.#stayBelow()
    }
    this.view.render()
    return performance.now() - began
  }

  /** The middle of the triangle nearest to the camera, in the window [CSS pixels]. */
  grip(): [number, number] {
    const { camera, canvas } = this.view
    const [middle, nearest] = [new THREE.Vector3(), new THREE.Vector3()]
    let least = Infinity
    for (let t = 0; t < this.#triangles.length; t += 3) {
      middle.set(0, 0, 0)
      for (let corner = 0; corner < 3; corner++) {
        const at = 3 * this.#triangles[t + corner]
        middle.x += this.#vertices[at] / 3
        middle.y += this.#vertices[at + 1] / 3
        middle.z += this.#vertices[at + 2] / 3
      }
      const distance = middle.distanceToSquared(camera.position)
      if (distance >= least) continue
      least = distance
      nearest.copy(middle)
    }
    const { left, top, width, height } = canvas.getBoundingClientRect()
    nearest.project(camera)
    return [left + (width * (1 + nearest.x)) / 2, top + (height * (1 - nearest.y)) / 2]
  }

  dispose(): void {
    for (const part of [this.#body, this.#pulls, this.#ground, this.#light]) part.dispose()
  }

  #stayBelow(): void {
    const { x, z } = this.#followed
    this.#ground.object.position.set(x, -0.002 * this.#size, z)
    this.#light.object.position.set(x, 0.2 * this.#size, z)
  }
}
