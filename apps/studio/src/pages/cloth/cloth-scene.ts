/** Body, garment and floor in space. The camera goes with the body; drag to turn, wheel to zoom. */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import { softShadow } from '../../draw/soft-shadow.js'
import type { Frame } from './cloth-protocol.js'

const BACKGROUND = 0x12161c
/** Clay, and a cloth that stands out from it. */
const BODY = 0xcfb9a5
const CLOTH = 0x2d7f9d
const GROUND = 0x1c232c
/** Squares of the floor [m], and how many. */
const SQUARE = 0.5
const SQUARES = 48
/** The camera stands this many heights away, a little above the waist, to the right of the front. */
const STAND = new THREE.Vector3(0.75, 0.32, 1.75)
const FIELD_OF_VIEW = 36
/** The camera's rate of following [1/s]: steps do not shake it. */
const FOLLOW = 5

export class ClothScene {
  readonly root = document.createElement('div')
  readonly #renderer = new THREE.WebGLRenderer({ antialias: true })
  readonly #scene = new THREE.Scene()
  readonly #camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 200)
  readonly #controls: OrbitControls
  readonly #resize: ResizeObserver
  readonly #body = new DeformingMesh(new THREE.MeshStandardMaterial({ color: BODY, roughness: 0.7 }))
  readonly #cloth = new DeformingMesh(
    new THREE.MeshStandardMaterial({ color: CLOTH, roughness: 0.85, side: THREE.DoubleSide }),
  )
  readonly #grid = new THREE.GridHelper(SQUARE * SQUARES, SQUARES, 0x34404e, 0x34404e)
  readonly #ground = new THREE.Mesh(
    new THREE.CircleGeometry(0.5 * SQUARE * SQUARES, 64),
    new THREE.MeshBasicMaterial({ color: GROUND }),
  )
  readonly #shadow = softShadow()
  readonly #lights = new THREE.Group()
  /** Where the body stood when the camera last followed; undefined before the first frame. */
  #followed: THREE.Vector3 | undefined
  #height = 1.7

  constructor() {
    this.root.className = 'scene'
    const canvas = this.#renderer.domElement
    canvas.dataset['testid'] = 'cloth-scene'
    canvas.setAttribute('role', 'img')
    canvas.setAttribute('aria-label', 'The dressed character; drag to turn, wheel to zoom')
    this.root.append(canvas)
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#scene.background = new THREE.Color(BACKGROUND)
    this.#scene.fog = new THREE.Fog(BACKGROUND, 5, 12)
    this.#body.mesh.matrixAutoUpdate = false
    this.#addLights()
    for (const flat of [this.#ground, this.#shadow]) flat.rotation.x = -Math.PI / 2
    this.#scene.add(this.#ground, this.#grid, this.#shadow, this.#body.mesh, this.#cloth.mesh, this.#lights)
    this.#controls = new OrbitControls(this.#camera, canvas)
    this.#controls.maxPolarAngle = 0.52 * Math.PI
    this.#resize = new ResizeObserver(() => this.#fit())
    this.#resize.observe(this.root)
  }

  /** @param height of the body [m] */
  setBody(triangles: Uint32Array, height: number): void {
    this.#height = height
    this.#body.setTriangles(triangles)
    this.#followed = undefined
    this.#controls.minDistance = 0.4 * height
    this.#controls.maxDistance = 6 * height
  }

  setGarment(triangles: Uint32Array): void {
    this.#cloth.setTriangles(triangles)
  }

  /** @returns time of drawing as far as the page waits for it [ms] */
  draw(frame: Frame, seconds: number): number {
    const began = performance.now()
    this.#body.setPositions(frame.body)
    this.#body.mesh.matrix.fromArray(frame.rootFrame)
    this.#cloth.setPositions(frame.cloth)
    this.#follow(frame, seconds)
    this.#controls.update()
    this.#renderer.render(this.#scene, this.#camera)
    return performance.now() - began
  }

  dispose(): void {
    this.#resize.disconnect()
    this.#controls.dispose()
    this.#body.dispose()
    this.#cloth.dispose()
    this.#grid.dispose()
    for (const { geometry, material } of [this.#ground, this.#shadow]) {
      geometry.dispose()
      material.dispose()
    }
    this.#shadow.material.map?.dispose()
    this.#renderer.dispose()
  }

  #follow({ rootFrame }: Frame, seconds: number): void {
    const root = new THREE.Vector3(rootFrame[12], 0, rootFrame[14])
    const { target } = this.#controls
    if (!this.#followed) {
      // The root is at the hips; a little lower shows head and feet alike.
      target.set(root.x, rootFrame[13] - 0.04 * this.#height, root.z)
      this.#camera.position.copy(target).addScaledVector(STAND, this.#height)
      this.#followed = root
      this.#placeAround(root)
      return
    }
    const share = 1 - Math.exp(-FOLLOW * seconds)
    const move = root.sub(this.#followed).multiplyScalar(share)
    this.#followed.add(move)
    target.add(move)
    this.#camera.position.add(move)
    this.#placeAround(this.#followed)
  }

  /** Ground and lights go along, the grid by whole squares so that it seems to stand. */
  #placeAround({ x, z }: THREE.Vector3): void {
    const [column, row] = [x, z].map((place) => SQUARE * Math.round(place / SQUARE))
    this.#grid.position.set(column, 0, row)
    this.#ground.position.set(column, -0.01, row)
    this.#shadow.position.set(x, 0.003, z)
    this.#shadow.scale.setScalar(0.75 * this.#height)
    this.#lights.position.set(x, 0, z)
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.root
    if (clientWidth === 0 || clientHeight === 0) return
    this.#renderer.setSize(clientWidth, clientHeight)
    this.#camera.aspect = clientWidth / clientHeight
    this.#camera.updateProjectionMatrix()
    this.#renderer.render(this.#scene, this.#camera)
  }

  #addLights(): void {
    const key = new THREE.DirectionalLight(0xfff1e0, 2.6)
    key.position.set(1.2, 2.4, 1.8)
    const rim = new THREE.DirectionalLight(0x8fb8e8, 1.4)
    rim.position.set(-1.6, 1.2, -1.8)
    for (const light of [key, rim]) this.#lights.add(light, light.target)
    this.#lights.add(new THREE.HemisphereLight(0xdfe9f5, 0x2a2520, 1.1))
  }
}
