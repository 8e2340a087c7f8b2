/** The folding tube as live bones: kept out of itself whatever drives it, and left alone where it is free. */
import { Bone } from 'three'
import { describe, expect, it } from 'vitest'
import { SurfaceContact } from '../../src/exact/index.js'
import { decode, load } from '../../src/index.js'
import { characterShape } from '../../src/model/character-shape.js'
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
