/** Character, garment and floor in space. The camera goes with the character. */
import * as THREE from 'three'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import { clothMaterial, skinMaterial } from '../../draw/materials.js'
import { StudioGround } from '../../draw/studio-ground.js'
import { StudioLight } from '../../draw/studio-light.js'
import { View3D } from '../../shell/view/view-3d.js'
import type { Frame, Opened } from './cloth-protocol.js'

/** The camera stands this many heights away, a little above the waist, to the right of the front. */
const STAND = new THREE.Vector3(0.72, 0.3, 1.68)
/** In narrower pictures, width over height, it stands further back. */
const NARROWEST = 0.72
/** The camera's rate of following [1/s]: steps do not shake it. */
const FOLLOW = 5

export class ClothScene {
  readonly view: View3D
  readonly #body = new DeformingMesh(skinMaterial())
  readonly #cloth = new DeformingMesh(clothMaterial())
  readonly #ground = new StudioGround()
  readonly #light = new StudioLight()
  /** Where the character stood when the camera last followed; undefined before the first frame. */
  #followed: THREE.Vector3 | undefined
  #height = 1.7

  constructor(onTurned: () => void) {
    this.view = new View3D({
      testId: 'cloth-scene',
      label: 'The dressed character. Arrow keys turn the view, plus and minus zoom.',
      fieldOfView: 36,
      onTurned,
    })
    const { scene, controls } = this.view
    this.#body.mesh.matrixAutoUpdate = false
    this.#ground.setSquare(0.5)
    scene.add(this.#ground.object, this.#body.mesh, this.#cloth.mesh, this.#light.object)
    controls.maxPolarAngle = 0.52 * Math.PI
    controls.enablePan = false
  }

  open({ bodyTriangles, height }: Opened): void {
    this.#height = height
    this.#body.setTriangles(bodyTriangles)
    this.#light.setSize(height)
    this.#followed = undefined
    this.view.controls.minDistance = 0.4 * height
    this.view.controls.maxDistance = 6 * height
  }

  /** @param seconds since the frame before @returns time of drawing as far as the page waits for it [ms] */
  draw({ vertices, clothTriangles, rootFrame }: Frame, seconds: number): number {
    const began = performance.now()
    if (clothTriangles) this.#cloth.setTriangles(clothTriangles)
    this.#body.setPositions(vertices.body)
    this.#body.mesh.matrix.fromArray(rootFrame)
    this.#cloth.setPositions(vertices.cloth)
    this.#follow(rootFrame, seconds)
    this.view.render()
    return performance.now() - began
  }

  dispose(): void {
    for (const part of [this.#body, this.#cloth, this.#ground, this.#light]) part.dispose()
  }

  #follow(rootFrame: Float64Array, seconds: number): void {
    const root = new THREE.Vector3(rootFrame[12], 0, rootFrame[14])
    if (this.#followed) {
      const share = 1 - Math.exp(-FOLLOW * seconds)
      const move = root.sub(this.#followed).multiplyScalar(share)
      this.#followed.add(move)
      this.view.follow(move)
    } else {
      // The root is at the hips; a little lower shows head and feet alike.
      const home = new THREE.Vector3(root.x, rootFrame[13] - 0.04 * this.#height, root.z)
      this.view.stand(home, STAND.clone().multiplyScalar(this.#height), this.#height, NARROWEST)
      this.#followed = root
    }
    const { x, z } = this.#followed
    this.#ground.object.position.set(x, 0, z)
    this.#light.object.position.set(x, 0.5 * this.#height, z)
  }
}
