/** The folding tube as live bones: kept out of itself whatever drives it, and left alone where it is free. */
import { Bone } from 'three'
import { describe, expect, it } from 'vitest'
import { SurfaceContact } from '../../src/exact/index.js'
import { decode, load } from '../../src/index.js'
import type { CharacterContactField } from '../../src/learned/character-contact.js'
import { characterShape } from '../../src/model/character-shape.js'
import { JointCode } from '../../src/model/joint-code.js'
import { Skeleton } from '../../src/model/skeleton.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import { loadPoseGuard, PoseGuard } from '../../src/three/index.js'
import { characterContactFile } from '../artifact/character-contact-example.js'
import { TUBE_JOINTS } from '../artifact/folding-tube.js'

const bytes = await characterContactFile('ends')
const artifact = await decode(bytes, 'character-contact')
const { character, manifest } = artifact
const contact = new SurfaceContact(characterShape(character, manifest.model.neighbours))

function tube(): Bone[] {
  const bones = TUBE_JOINTS.map((name, i) => {
    const bone = new Bone()
    bone.name = name
    bone.position.set(0, i === 0 ? 0 : 1, 0)
    return bone
  })
  bones.forEach((bone, i) => {
    if (i > 0) bones[i - 1].add(bone)
  })
  return bones
}

/** The same, all hung from the first. */
function flatTube(): Bone[] {
  const bones = TUBE_JOINTS.map((name) => Object.assign(new Bone(), { name }))
  for (const bone of bones.slice(1)) bones[0].add(bone)
  return bones
}

/** Puts bones that hang from the first, which stands at the origin, where others are. */
function followWorld(bones: readonly Bone[], flat: readonly Bone[]): void {
  bones[0].updateMatrixWorld(true)
  for (const [joint, bone] of flat.entries())
    bones[joint].matrixWorld.decompose(bone.position, bone.quaternion, bone.scale)
}

function worldDifference(bones: readonly Bone[], flat: readonly Bone[]): number {
  bones[0].updateMatrixWorld(true)
  flat[0].updateMatrixWorld(true)
  const of = (all: readonly Bone[]): number[] => all.flatMap((bone) => bone.matrixWorld.elements)
  const others = of(flat)
  return Math.max(...of(bones).map((value, i) => Math.abs(value - others[i])))
}

/**
 * A finger of three joints and a thumb, all hung from the hand, numbered from the tip inwards; the code bends middle,
 * knuckle, tip of the thumb and thumb about x. Nothing touches but where the knuckle is bent by more than 0.2.
 */
function twoFingers(): { character: SkinnedCharacter; field: CharacterContactField } {
  const names = ['hand', 'tip', 'middle', 'knuckle', 'thumb tip', 'thumb']
  const skeleton = new Skeleton({
    names,
    parents: Int32Array.of(-1, 0, 0, 0, 0, 0),
    root: 0,
    rest: {
      translations: Float64Array.from([0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 1, 0, 1, 2, 0, 1, 1, 0]),
      rotations: Float64Array.from({ length: 24 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float64Array(18).fill(1),
    },
  })
  const code = new JointCode(skeleton, {
    joints: Uint16Array.of(2, 3, 4, 5),
    axes: new Uint8Array(4),
    units: new Float64Array(4).fill(Math.PI),
    carriers: Int32Array.of(-1, 2, 3, 0, 5, 0),
    fixed: skeleton.createPose(),
    bounds: { lower: new Float64Array(4).fill(-1), upper: new Float64Array(4).fill(1) },
    dropped: [],
    largestAngle: Math.PI,
  })
  const made = new SkinnedCharacter({ skeleton, surface: character.surface, code, height: 3, skinning: 'linear' })
  const KNUCKLE = 1
  const field = {
    character: made,
    codeSize: 4,
    pairs: [['tip', 'hand']],
    clearances(at: Float64Array, out: Float64Array) {
      out[0] = 0.2 - at[KNUCKLE]
    },
    pullBackClearances(by: Float64Array, out: Float64Array) {
      out.fill(0)
      out[KNUCKLE] = -by[0]
    },
  }
  return { character: made, field: field as unknown as CharacterContactField }
}

function touches(bones: readonly Bone[]): boolean {
  const pose = character.skeleton.createPose()
  bones.forEach((bone, joint) => {
    bone.quaternion.toArray(pose.rotations, 4 * joint)
    bone.position.toArray(pose.translations, 3 * joint)
  })
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  return contact.touches(positions)
}

const fold = (bones: readonly Bone[], angle: number): void => {
  for (const bone of bones.slice(1)) bone.rotation.set(angle, 0, 0)
}

describe('a guarded avatar', () => {
  it('is kept out of itself while it folds and unfolds, and left alone where it is free', async () => {
    const bones = tube()
    // The network goes by a place ahead of the bone; so much before it, the tube itself begins to touch.
    const guard = await loadPoseGuard(bytes, bones[0], { margin: 0.25 })
    let moved = 0
    for (let frame = 0; frame <= 60; frame++) {
      const angle = 1.75 * Math.sin((Math.PI * frame) / 60) ** 2
      fold(bones, angle)
      const wouldTouch = touches(bones)
      const isMoved = guard.update()
      expect(touches(bones)).toBe(false)
      if (wouldTouch) expect(isMoved).toBe(true)
      moved += isMoved ? 1 : 0
      if (!isMoved) for (const bone of bones.slice(1)) expect(bone.rotation.x).toBeCloseTo(angle, 12)
    }
    expect(moved).toBeGreaterThan(10)
    expect(moved).toBeLessThan(50)
    expect(guard.clearance).toBeGreaterThan(0.25)
    guard.dispose()
  })

  it('moves only what the code holds: other turns of a joint, and the root, stay as they were', async () => {
    const bones = tube()
    const guard = new PoseGuard(artifact, await load(artifact), bones[0], { margin: 0.25 })
    fold(bones, 1.7)
    bones[0].position.set(3, 4, 5)
    bones[0].rotation.set(0.3, 0.2, 0.1)
    const root = bones[0].quaternion.toArray()
    expect(guard.update()).toBe(true)
    expect(bones[0].position.toArray()).toEqual([3, 4, 5])
    expect(bones[0].quaternion.toArray()).toEqual(root)
    for (const bone of bones.slice(1)) expect(bone.position.toArray()).toEqual([0, 1, 0])
  })

  it('is moved as one whose bones hang from each other where the file hangs them all from the first', async () => {
    const [bones, flat] = [tube(), flatTube()]
    const flatBytes = await characterContactFile('ends', undefined, 'flat')
    const guards = [
      await loadPoseGuard(bytes, bones[0], { margin: 0.25 }),
      await loadPoseGuard(flatBytes, flat[0], { margin: 0.25 }),
    ]
    for (let frame = 0; frame <= 20; frame++) {
      fold(bones, 1.75 * Math.sin((Math.PI * frame) / 20) ** 2)
      followWorld(bones, flat)
      const [isMoved, flatMoved] = guards.map((guard) => guard.update())
      expect(flatMoved).toBe(isMoved)
      expect(worldDifference(bones, flat)).toBeLessThan(1e-6)
    }
    for (const guard of guards) guard.dispose()
  })

  it('takes along what a bone carries wherever it hangs, and leaves other fingers as they are', async () => {
    const { character: hand, field } = twoFingers()
    const bones = hand.skeleton.names.map((name) => Object.assign(new Bone(), { name }))
    bones.forEach((bone, joint) => {
      if (joint > 0) bones[0].add(bone)
    })
    const pose = hand.skeleton.createPose()
    // Middle, knuckle, thumb's tip, thumb.
    hand.code.decode([0.1, 0.3, 0.2, 0.05], pose)
    bones.forEach((bone, joint) => {
      bone.quaternion.fromArray(pose.rotations, 4 * joint)
      bone.position.fromArray(pose.translations, 3 * joint)
    })
    const before = bones.map((bone) => [...bone.quaternion.toArray(), ...bone.position.toArray()])
    const guard = new PoseGuard({ manifest }, field, bones[0], { margin: 0, weights: [1, 1, 1, 1] })
    expect(guard.update()).toBe(true)
    const after = bones.map((bone) => [...bone.quaternion.toArray(), ...bone.position.toArray()])
    const moved = hand.skeleton.names.filter((_, joint) => after[joint].some((value, k) => value !== before[joint][k]))
    expect(moved).toEqual(['tip', 'middle', 'knuckle'])
    // The knuckle is back at what is free, and its finger goes on from it as it was bent.
    const due = hand.skeleton.createPose()
    hand.code.decode([0.1, 0.2, 0.2, 0.05], due)
    after.forEach((values, joint) => {
      const expected = [
        ...due.rotations.subarray(4 * joint, 4 * joint + 4),
        ...due.translations.subarray(3 * joint, 3 * joint + 3),
      ]
      values.forEach((value, k) => {
        expect(value, `${hand.skeleton.names[joint]} ${k}`).toBeCloseTo(expected[k], 6)
      })
    })
  })

  it('refuses a scene without its joints, and bones that are not finite', async () => {
    await expect(loadPoseGuard(bytes, new Bone())).rejects.toThrow(/^pose guard: root joint 'root' is not there/)
    const bones = tube()
    const guard = await loadPoseGuard(bytes, bones[0])
    bones[2].quaternion.set(Number.NaN, 0, 0, 1)
    expect(() => guard.update()).toThrow(/NaN/)
  })

  it("refuses a file of the paper's network, which tells no clearances", async () => {
    await expect(loadPoseGuard(await characterContactFile('state'), tube()[0])).rejects.toThrow(
      "pose guard: the network of 'tube' tells no clearances of parts; train it by our own method.",
    )
  })
})
