/** The collider must stand where three.js draws the character, and answer there as the trained field does. */

import { existsSync, readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import {
  AnimationMixer,
  Group,
  Matrix3,
  Matrix4,
  type Mesh,
  type Object3D,
  Quaternion,
  SkinnedMesh,
  Vector3,
} from 'three'
import type { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { CharacterArtifact } from '../../src/artifact/kinds/character.js'
import { readGltf } from '../../src/files/gltf.js'
import { load } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'
import { sampleClip } from '../../src/model/clip.js'
import { rigFromScene } from '../../src/model/rig.js'
import { Collider } from '../../src/three/collider.js'
import { SkinnedCollider } from '../../src/three/skinned-collider.js'
import { sampleCharacter } from '../model/rig-sample.js'
import { loadWithThree, skinnedVertices } from '../model/three-reference.js'
import { randomCharacter } from './random-character.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)

async function colliderOf(artifact: CharacterArtifact): Promise<Collider> {
  return new Collider(artifact, await load(artifact))
}

/** Puts the character below a parent that is moved, turned and scaled. */
function under(scene: Object3D, scale: number): Group {
  const parent = new Group()
  parent.position.set(12, -3, 0.5)
  parent.quaternion.set(0.3, -0.2, 0.5, 0.7).normalize()
  parent.scale.setScalar(scale)
  return parent.add(scene)
}

function play(gltf: GLTF, clip: number, time: number): void {
  const mixer = new AnimationMixer(gltf.scene)
  mixer.clipAction(gltf.animations[clip]).play()
  mixer.setTime(time)
}

function meshOf(scene: Object3D): SkinnedMesh {
  let found: SkinnedMesh | undefined
  scene.traverse((object) => {
    if (object instanceof SkinnedMesh) found ??= object
  })
  return found!
}

/** World vertices of the collider's own surface in its pose. */
function surfaceOf({ collider, pose, rootFrame: m }: SkinnedCollider): Float64Array {
  const positions = new Float64Array(3 * collider.character.vertexCount)
  collider.character.positionsOfPose(pose, positions)
  return positions.map((_, i) => {
    const [row, v] = [i % 3, i - (i % 3)]
    return m[row] * positions[v] + m[4 + row] * positions[v + 1] + m[8 + row] * positions[v + 2] + m[12 + row]
  })
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length)
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]))
  return largest
}

describe('stands where three.js draws the character, to 1e-5 of its height', () => {
  async function expectInPlace(glb: Uint8Array, clips: readonly number[]): Promise<void> {
    const collider = await colliderOf(randomCharacter(glb, 1, { weld: false }))
    const gltf = await loadWithThree(glb)
    const parent = under(gltf.scene, 0.4)
    const body = new SkinnedCollider(collider, meshOf(gltf.scene))
    // A collider has its morph targets as they are at rest.
    const morphs: { now: number[]; rest: number[] }[] = []
    gltf.scene.traverse((object) => {
      const now = (object as Mesh).morphTargetInfluences
      if (now) morphs.push({ now, rest: [...now] })
    })
    for (const clip of clips) {
      for (const time of [0.1, 0.6]) {
        play(gltf, clip, time)
        for (const { now, rest } of morphs) now.splice(0, now.length, ...rest)
        // Before three.js has updated any matrix: the collider must not see the last frame's.
        body.update()
        parent.updateMatrixWorld(true)
        const difference = largestDifference(surfaceOf(body), skinnedVertices(parent))
        expect(difference / collider.character.height, `clip ${clip} at ${time} s`).toBeLessThan(1e-5)
      }
    }
  }

  it('a sample character, whose clip moves joints, the root and a node above it', async () => {
    await expectInPlace(await sampleCharacter(), [0])
  })

  test.skipIf(!existsSync(folder)).each([
    ['rig-fox.glb', [0, 2]],
    ['rig-kaykit-knight.glb', [0, 20, 75]],
  ])('%s, clips %s', async (name, clips) => {
    await expectInPlace(new Uint8Array(readFileSync(new URL(name, folder))), clips)
  })

  test.skipIf(!existsSync(folder))('rig-makehuman-cmu31.glb, every joint turned (seed 2)', async () => {
    const glb = new Uint8Array(readFileSync(new URL('rig-makehuman-cmu31.glb', folder)))
    const collider = await colliderOf(randomCharacter(glb, 1, { weld: false }))
    const { scene } = await loadWithThree(glb)
    const random = randomStream(2)
    meshOf(scene).skeleton.bones.forEach((bone) => {
      bone.rotation.set(random.normal(), random.normal(), random.normal())
    })
    const body = new SkinnedCollider(collider, under(scene, 1.7))
    expect(largestDifference(surfaceOf(body), skinnedVertices(scene as Group))).toBeLessThan(1e-5)
  })
})

describe('a sample character', () => {
  let glb: Uint8Array
  let artifact: CharacterArtifact
  let collider: Collider

  beforeAll(async () => {
    glb = await sampleCharacter()
    artifact = randomCharacter(glb, 3)
    collider = await colliderOf(artifact)
  })

  /** Random points around the body in its root frame. */
  function somePoints(count: number, seed: number): Float64Array {
    const random = randomStream(seed)
    return Float64Array.from({ length: 3 * count }, () => collider.character.height * random.between(-0.7, 0.7))
  }

  it.each([1, 0.02, 30, -1])('answers in world space under a parent of scale %s (seed 4)', async (scale) => {
    const gltf = await loadWithThree(glb)
    const parent = under(gltf.scene, scale)
    const body = new SkinnedCollider(collider, meshOf(gltf.scene))
    const { clips } = rigFromScene(readGltf(glb))
    const reference = await load(artifact)
    const { skeleton } = artifact.character
    const count = 100
    const points = somePoints(count, 4)
    for (const time of [0, 0.7, 1.8]) {
      play(gltf, 0, time)
      body.update()
      // The reference: our own clips and skeleton for the character, three.js for the parent above it.
      const pose = skeleton.createPose()
      sampleClip(skeleton, clips[0], time, pose)
      reference.update(skeleton.stateOf(pose))
      const expected = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
      reference.query(points, count, expected.distances, expected.normals)
      const frame = new Float64Array(16)
      skeleton.rootFrame(pose, frame)
      const toWorld = parent.matrixWorld.clone().multiply(new Matrix4().fromArray(frame))
      const world = new Float64Array(3 * count)
      const normals = new Float64Array(3 * count)
      for (let i = 0; i < count; i++) {
        new Vector3()
          .fromArray(points, 3 * i)
          .applyMatrix4(toWorld)
          .toArray(world, 3 * i)
        const normal = new Vector3().fromArray(expected.normals, 3 * i)
        // Not transformDirection: it would turn a normal over where the parent mirrors.
        normal
          .applyMatrix3(new Matrix3().setFromMatrix4(toWorld))
          .normalize()
          .toArray(normals, 3 * i)
      }
      const found = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
      body.query(world, count, found.distances, found.normals)
      const size = Math.abs(scale) * collider.character.height
      const due = expected.distances.map((distance) => Math.abs(scale) * distance)
      expect(largestDifference(found.distances, due) / size, `at ${time} s`).toBeLessThan(1e-5)
      expect(meanDifference(found.normals, normals), `at ${time} s`).toBeLessThan(1e-4)
      const distances = new Float64Array(count)
      body.query(world, count, distances)
      expect(largestDifference(distances, found.distances) / size).toBeLessThan(1e-5)
    }
  })

  it('shares a collider with others of its kind, whoever asks in between (seed 5)', async () => {
    const { scene, animations } = await loadWithThree(glb)
    const twin = clone(scene)
    const both = new Group().add(scene, twin)
    expect(() => new SkinnedCollider(collider, both)).toThrow("root joint 'hips' is there twice")
    const count = 20
    const points = somePoints(count, 5)
    const [one, other] = [scene, twin].map((each, i) => {
      const mixer = new AnimationMixer(each)
      mixer.clipAction(animations[0]).play()
      mixer.setTime(0.4 + i)
      return new SkinnedCollider(collider, each)
    })
    const ask = (body: SkinnedCollider) => {
      const distances = new Float64Array(count)
      body.query(points, count, distances)
      return distances
    }
    const alone = [one, other].map(ask)
    expect(alone[0]).not.toEqual(alone[1])
    expect([one, other].map(ask)).toEqual(alone)
    const errors = [one, other].map((body) => body.expectedError)
    expect(errors[0]).not.toBeCloseTo(errors[1], 6)
    expect([one, other].map((body) => body.expectedError)).toEqual(errors)
  })

  describe('knows its joints', () => {
    /** The same character with other names for its nodes, and a collider trained on it. */
    async function withNames(names: Record<string, string>) {
      const io = new WebIO()
      const document = await io.readBinary(glb)
      for (const node of document.getRoot().listNodes()) node.setName(names[node.getName()] ?? node.getName())
      const renamed = await io.writeBinary(document)
      const gltf = await loadWithThree(renamed)
      play(gltf, 0, 0.7)
      return { gltf, collider: await colliderOf(randomCharacter(renamed, 3)) }
    }

    async function plainPose() {
      const gltf = await loadWithThree(glb)
      play(gltf, 0, 0.7)
      return new SkinnedCollider(collider, meshOf(gltf.scene)).pose
    }

    it('by the names in the file, though three.js changes and numbers them', async () => {
      const names = { hips: 'mixamorig:Hips', armL: 'arm.L [x]', head: 'armL x', leg: 'spine.', foot: 'spine' }
      const { gltf, collider: other } = await withNames(names)
      expect(gltf.scene.getObjectByName('armL_x_1')).toBeDefined()
      expect(new SkinnedCollider(other, meshOf(gltf.scene)).pose).toEqual(await plainPose())
    })

    it('by the names that three.js gives, where those in the file are gone', async () => {
      const { gltf, collider: other } = await withNames({ hips: 'mixamorig:Hips', armL: 'arm.L [x]', foot: 'leg/foot' })
      gltf.scene.traverse((object) => {
        object.userData = {}
      })
      expect(new SkinnedCollider(other, meshOf(gltf.scene)).pose).toEqual(await plainPose())
    })
  })

  it('takes the matrices of joints that are moved by them', async () => {
    const { scene } = await loadWithThree(glb)
    const bone = scene.getObjectByName('spine')!
    bone.matrix.compose(new Vector3(0, 0.3, 0.1), new Quaternion(0.6, 0, 0, 0.8), new Vector3(1, 1, 1))
    bone.matrixAutoUpdate = false
    const { pose } = new SkinnedCollider(collider, scene)
    const joint = artifact.character.skeleton.jointNamed('spine')
    expect(largestDifference(pose.rotations.subarray(4 * joint, 4 * joint + 4), [0.6, 0, 0, 0.8])).toBeLessThan(1e-9)
    expect([...pose.translations.subarray(3 * joint, 3 * joint + 3)]).toEqual([0, 0.3, 0.1])
  })

  it('tells its own error in world units, and does not trust a network that was never judged', async () => {
    const { scene } = await loadWithThree(glb)
    const body = new SkinnedCollider(collider, scene)
    const field = await load(artifact)
    field.update(field.skeleton.stateOf(body.pose))
    expect(body.expectedError).toBeCloseTo(field.expectedError, 5)
    expect(body.trusted).toBe(false)
    scene.scale.setScalar(3)
    body.update()
    expect(body.expectedError).toBeCloseTo(3 * field.expectedError, 4)
  })

  it('moves its surface as its bones move: rigidly when all of it turns and goes (seed 6)', async () => {
    const { scene } = await loadWithThree(glb)
    const parent = under(scene, 0.5)
    const body = new SkinnedCollider(collider, scene)
    const count = 10
    const points = somePoints(count, 6).map((value, i) => value + parent.position.toArray()[i % 3])
    const velocities = new Float64Array(3 * count).fill(1)
    body.motion.velocity(points, points, count, velocities)
    expect(velocities.every((value) => value === 0)).toBe(true)
    const [frame, angle] = [0.01, 0.001]
    parent.position.x += 0.02
    parent.rotateOnWorldAxis(new Vector3(0, 1, 0), angle)
    body.update(frame)
    body.motion.velocity(points, points, count, velocities)
    for (let i = 0; i < count; i++) {
      const arm = new Vector3().fromArray(points, 3 * i).sub(parent.position)
      const due = new Vector3(0, angle / frame, 0).cross(arm).add(new Vector3(2, 0, 0))
      expect(due.distanceTo(new Vector3().fromArray(velocities, 3 * i))).toBeLessThan(0.005)
    }
    // A jump is no motion.
    parent.position.x += 100
    body.update()
    body.motion.velocity(points, points, count, velocities)
    expect(velocities.every((value) => value === 0)).toBe(true)
  })

  it('says in one line what does not fit', async () => {
    const load = async () => (await loadWithThree(glb)).scene
    const rename = (scene: Object3D, from: string, to: string) =>
      Object.assign(scene.getObjectByName(from)!, { name: to, userData: { name: to } })
    const without = await load()
    rename(without, 'armL', 'Arm_Left')
    expect(() => new SkinnedCollider(collider, without)).toThrow(
      "skinned collider: joint 'armL' does not hang from 'spine', which holds 'Arm_Left', 'head'; pass the character that was trained, or train this one.",
    )
    const rootless = await load()
    rename(rootless, 'hips', 'pelvis')
    expect(() => new SkinnedCollider(collider, rootless)).toThrow("root joint 'hips' is not there")
    const double = await load()
    rename(double, 'head', 'armL')
    expect(() => new SkinnedCollider(collider, double)).toThrow("joint 'armL' hangs from 'spine' twice")

    const scene = await load()
    const body = new SkinnedCollider(collider, scene)
    for (const scale of [new Vector3(0, 0, 0), new Vector3(Number.NaN, 1, 1)]) {
      scene.scale.copy(scale)
      expect(() => body.update()).toThrow(/'hips' or a parent of it is scaled to nothing; give it another scale/)
    }
    expect(() => body.query(new Float32Array(3), 2, new Float32Array(2), new Float32Array(6))).toThrow(RangeError)
    expect(() => body.query(new Float32Array(6), 2, new Float32Array(1))).toThrow(RangeError)
  })
})

function meanDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length
}
