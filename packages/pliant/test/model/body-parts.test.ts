import { expect, it } from 'vitest'
import { bodyParts } from '../../src/model/body-parts.js'

/** A chain: each joint hangs from the one before it. */
const chain = (names: string[]) =>
  bodyParts(
    names,
    names.map((_, i) => i - 1),
  )
/** Joints that all hang from the first. */
const star = (names: string[]) =>
  bodyParts(
    names,
    names.map((_, i) => (i === 0 ? -1 : 0)),
  )

it.each([
  ['Mixamo', 'mixamorig:LeftHand', 'mixamorig:LeftToeBase', 'mixamorig:HeadTop_End'],
  ['CMU', 'LeftFingerBase', 'LeftFoot', 'Head'],
  ['CMU thumbs', 'LThumb', 'RightToeBase', 'Head'],
  ['VRM', 'J_Bip_L_Hand', 'J_Bip_R_ToeBase', 'J_Bip_C_Head'],
  ['Unity', 'leftHand', 'rightFoot', 'head'],
  ['Unreal', 'hand_l', 'ball_r', 'head'],
  ['Blender', 'hand.L', 'foot.R', 'Head'],
  ['Biped', 'Bip01 L Finger0', 'Bip01 R Toe0', 'Bip01 Head'],
  ['DAZ', 'lHand', 'rFoot', 'head'],
  ['run together', 'lefthand', 'rfoot', 'HEAD'],
])('knows the ends of limbs by their names in %s rigs', (_, hand, foot, head) => {
  expect(star(['Hips', hand, foot, head])).toEqual([undefined, 'hand', 'foot', 'head'])
})

it.each([
  'LeftForeArm',
  'lowerarm.l',
  'Spine_Middle',
  'Neck1',
  'b_Tail01_012',
  'mixamorig:RightUpLeg',
  'Handle',
  'Footman',
  'upper_arm.R',
])('does not take %s for one', (name) => {
  expect(star(['Hips', name])).toEqual([undefined, undefined])
})

it('counts what hangs from a hand as hand, whatever its name', () => {
  expect(chain(['spine', 'arm', 'wrist.l', 'bone_17', 'weapon'])).toEqual([
    undefined,
    undefined,
    'hand',
    'hand',
    'hand',
  ])
})

it('takes a ring for a finger only beside other fingers', () => {
  expect(star(['forearm', 'thumb1', 'ring1', 'middle1'])).toEqual([undefined, 'hand', 'hand', 'hand'])
  expect(star(['belt', 'ring1', 'middle1'])).toEqual([undefined, undefined, undefined])
})
