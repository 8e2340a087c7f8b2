/** The whole way, on the built-in humanoid: file, live skeleton and world against the triangles that three.js draws. */
import { existsSync, readFileSync } from 'node:fs'
import { Group } from 'three'
import type { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import { readGltf } from '../../src/files/gltf.js'
import { embedCollider } from '../../src/files/gltf-collider.js'
import { randomStream } from '../../src/math/random.js'
import { Cloth } from '../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../src/sim/cloth/cloth-grid.js'
import { type Collider, colliderFromGltf, SkinnedCollider } from '../../src/three/index.js'
import { loadWithThree, poseThree, skinnedVertices } from '../model/three-reference.js'

const artifacts = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
const rigFile = new URL('humanoid.glb', artifacts)
const colliderFile = new URL('humanoid.safetensors', artifacts)

describe.skipIf(!existsSync(colliderFile))('a trained character that carries its collider', () => {
  let gltf: GLTF
  let collider: Collider
  let triangles: Uint32Array
  const parent = new Group()

  beforeAll(async () => {
    const rig = readFileSync(rigFile)
    const carrying = embedCollider(rig, readFileSync(colliderFile))
    triangles = readGltf(carrying).meshes[0].triangles
    gltf = await loadWithThree(carrying)
    collider = await colliderFromGltf(gltf)
    parent.add(gltf.scene)
  })

  /** What three.js draws, in the world. */
  function drawn(): Float64Array {
    parent.updateMatrixWorld(true)
    return Float64Array.from(skinnedVertices(gltf.scene))
  }

  it('is as far away as its triangles are, up to the error that was measured of it (seed 9)', () => {
    parent.position.set(-4, 2, 7)
    parent.rotation.set(0.4, 2, -0.3)
    parent.scale.setScalar(0.3)
    const body = new SkinnedCollider(collider, gltf.scene)
    const { bandError, signAccuracy, normalError } = collider.manifest.quality!
    const height = 0.3 * collider.manifest.model.height
    const random = randomStream(9)
    const count = 2000
    const [points, exact, learned] = [3 * count, count, count].map((length) => new Float64Array(length))
    const [exactNormals, normals] = [new Float64Array(3 * count), new Float64Array(3 * count)]
    const errors: number[] = []
    const angles: number[] = []
    let far = 0
    let right = 0
    for (const { name, duration } of gltf.animations) {
      poseThree(gltf, name, 0.4 * duration)
      body.update()
      const positions = drawn()
      for (let i = 0; i < count; i++) {
        const vertex = random.below(positions.length / 3)
        for (let axis = 0; axis < 3; axis++) {
          points[3 * i + axis] = positions[3 * vertex + axis] + 0.04 * height * random.between(-1, 1)
        }
      }
      new ExactMeshField({ positions, triangles }).query(points, count, exact, exactNormals)
      body.query(points, count, learned, normals)
      for (let i = 0; i < count; i++) {
        errors.push(Math.abs(learned[i] - exact[i]))
        let dot = 0
        for (let axis = 0; axis < 3; axis++) dot += normals[3 * i + axis] * exactNormals[3 * i + axis]
        angles.push((Math.acos(Math.min(dot, 1)) * 180) / Math.PI)
        if (Math.abs(exact[i]) < 0.005 * height) continue
        far++
        if (learned[i] < 0 === exact[i] < 0) right++
      }
    }
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    // Twice, because the points are others: near vertices, and also where the body meets itself.
    expect(mean).toBeLessThan(2 * 0.3 * bandError.mean)
    expect(angles.sort((a, b) => a - b)[angles.length >> 1]).toBeLessThan(2 * normalError.p50)
    expect(1 - right / far).toBeLessThan(2 * (1 - signAccuracy) + 0.002)
  })

  it('stops a cloth that falls on it while it moves', () => {
    parent.position.set(0, 0, 0)
    parent.rotation.set(0, 0, 0)
    parent.scale.setScalar(1)
    const { name } = gltf.animations[0]
    poseThree(gltf, name, 0)
    const body = new SkinnedCollider(collider, gltf.scene)
    const { height } = collider.manifest.model
    const top = Math.max(...drawn().filter((_, i) => i % 3 === 1))
    const centre: [number, number, number] = [body.rootFrame[12], top + 0.03 * height, body.rootFrame[14]]
    const cloth = new Cloth(clothGrid(14, 14, { size: [0.5 * height, 0.5 * height], centre }))
    const frame = 1 / 60
    for (let step = 1; step <= 60; step++) {
      poseThree(gltf, name, step * frame)
      body.update(frame)
      cloth.step(frame, body)
    }
    const count = cloth.positions.length / 3
    const distances = new Float64Array(count)
    new ExactMeshField({ positions: drawn(), triangles }).query(cloth.positions, count, distances)
    // It came down on the body, and not into it.
    expect(distances.filter((distance) => distance < 0.02 * height).length).toBeGreaterThan(10)
    expect(Math.min(...distances)).toBeGreaterThan(-0.01 * height)
  })
})
