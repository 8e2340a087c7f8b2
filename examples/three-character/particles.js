/** Balls that fall, bounce off a body that moves, and start again. All positions in world space. */
import { DynamicDrawUsage, InstancedMesh, Matrix4, MeshStandardMaterial, SphereGeometry } from 'three'

const GRAVITY = -9.81
/** Speed left after a bounce. */
const RESTITUTION = 0.5
/** Seconds until a ball starts again. */
const LIFETIME = 4

export class Particles {
  bounces = 0
  #velocities
  #ages
  #distances
  #normals
  #surfaceVelocities
  #matrix = new Matrix4()

  /** @param height  of the body: balls start above it and are small beside it [m] */
  constructor(count, height) {
    this.count = count
    this.height = height
    this.radius = 0.012 * height
    this.positions = new Float32Array(3 * count)
    this.#velocities = new Float32Array(3 * count)
    this.#distances = new Float32Array(count)
    this.#normals = new Float32Array(3 * count)
    this.#surfaceVelocities = new Float32Array(3 * count)
    this.#ages = Float32Array.from({ length: count }, () => LIFETIME * Math.random())
    this.mesh = new InstancedMesh(
      new SphereGeometry(this.radius, 12, 8),
      new MeshStandardMaterial({ color: 0xffb454 }),
      count,
    )
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.mesh.frustumCulled = false
    this.mesh.castShadow = true
    // Nobody is inside the body at first.
    for (let i = 0; i < count; i++) this.#start(i, { x: 0, y: 0, z: 0 })
  }

  /** @param body   a SkinnedCollider, updated  @param centre  where the body stands */
  step(seconds, body, centre) {
    const { positions, count, radius } = this
    const velocities = this.#velocities
    for (let i = 0; i < count; i++) {
      this.#ages[i] += seconds
      if (this.#ages[i] > LIFETIME) this.#start(i, centre)
      velocities[3 * i + 1] += GRAVITY * seconds
      for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] += velocities[3 * i + axis] * seconds
    }
    body.query(positions, count, this.#distances, this.#normals)
    body.motion.velocity(positions, this.#normals, count, this.#surfaceVelocities)
    for (let i = 0; i < count; i++) {
      const depth = radius - this.#distances[i]
      if (depth > 0) this.#bounce(i, depth, this.#normals.subarray(3 * i, 3 * i + 3))
      const overFloor = positions[3 * i + 1] - radius
      if (overFloor < 0) {
        positions[3 * i + 1] = radius
        velocities[3 * i + 1] = Math.abs(velocities[3 * i + 1]) * RESTITUTION
      }
      this.mesh.setMatrixAt(i, this.#matrix.setPosition(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]))
    }
    this.mesh.instanceMatrix.needsUpdate = true
  }

  /** Out of the body along its normal; the part of the velocity that goes into the moving surface turns around. */
  #bounce(i, depth, normal) {
    let speed = 0
    for (let axis = 0; axis < 3; axis++) {
      this.positions[3 * i + axis] += depth * normal[axis]
      speed += (this.#velocities[3 * i + axis] - this.#surfaceVelocities[3 * i + axis]) * normal[axis]
    }
    if (speed >= 0) return
    this.bounces++
    for (let axis = 0; axis < 3; axis++) this.#velocities[3 * i + axis] -= (1 + RESTITUTION) * speed * normal[axis]
  }

  #start(i, centre) {
    this.#ages[i] %= LIFETIME
    const spread = 0.35 * this.height
    this.positions[3 * i] = centre.x + spread * (2 * Math.random() - 1)
    this.positions[3 * i + 1] = this.height * (1.2 + 0.6 * Math.random())
    this.positions[3 * i + 2] = centre.z + spread * (2 * Math.random() - 1)
    this.#velocities.fill(0, 3 * i, 3 * i + 3)
  }
}
