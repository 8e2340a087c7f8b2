/** How rigs and recordings name the joints of a body, and what hangs from what: tables for tests of matching. */

/** Joints of one side by what they are, `*` standing for the side as that convention writes it, `^` for its first letter in capitals. */
export interface Convention {
  name: string
  /** [joint, parent], parents first; those with an * once for each side. */
  joints: [joint: string, parent: string][]
  sides: { left: string; right: string }
  /** Part -> joint, with * for the side. */
  parts: Record<string, string>
}

const limb = (names: Record<string, string>) => names

export const CONVENTIONS: Convention[] = [
  {
    name: 'Mixamo',
    sides: { left: 'Left', right: 'Right' },
    joints: chains(
      'mixamorig:',
      ['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck', 'Head', 'HeadTop_End'],
      [
        ['Spine2', '*Shoulder', '*Arm', '*ForeArm', '*Hand', '*HandIndex1', '*HandIndex2'],
        ['Hips', '*UpLeg', '*Leg', '*Foot', '*ToeBase', '*Toe_End'],
      ],
    ),
    parts: prefixed('mixamorig:', {
      hips: 'Hips',
      head: 'Head',
      ...limb({
        clavicle: '*Shoulder',
        upperArm: '*Arm',
        lowerArm: '*ForeArm',
        hand: '*Hand',
        'index 2': '*HandIndex2',
      }),
      ...limb({ upperLeg: '*UpLeg', lowerLeg: '*Leg', foot: '*Foot', toe: '*ToeBase' }),
    }),
  },
  {
    name: 'CMU',
    sides: { left: 'Left', right: 'Right' },
    joints: [
      ...chains(
        '',
        ['Hips', 'LowerBack', 'Spine', 'Spine1', 'Neck', 'Neck1', 'Head'],
        [
          ['Spine1', '*Shoulder', '*Arm', '*ForeArm', '*Hand', '*FingerBase', '*HandIndex1'],
          ['Hips', '^HipJoint', '*UpLeg', '*Leg', '*Foot', '*ToeBase'],
        ],
      ),
    ],
    parts: {
      hips: 'Hips',
      head: 'Head',
      ...limb({
        clavicle: '*Shoulder',
        upperArm: '*Arm',
        lowerArm: '*ForeArm',
        hand: '*Hand',
        'index 1': '*HandIndex1',
      }),
      ...limb({ upperLeg: '*UpLeg', lowerLeg: '*Leg', foot: '*Foot', toe: '*ToeBase' }),
    },
  },
  {
    name: 'Unreal',
    sides: { left: 'l', right: 'r' },
    joints: [
      ...chains(
        '',
        ['root', 'pelvis', 'spine_01', 'spine_02', 'spine_03', 'neck_01', 'head'],
        [
          ['spine_03', 'clavicle_*', 'upperarm_*', 'lowerarm_*', 'hand_*', 'index_01_*', 'index_02_*'],
          ['upperarm_*', 'upperarm_twist_01_*'],
          ['pelvis', 'thigh_*', 'calf_*', 'foot_*', 'ball_*'],
          ['root', 'ik_foot_root', 'ik_foot_*'],
        ],
      ),
    ],
    parts: {
      hips: 'pelvis',
      head: 'head',
      ...limb({ clavicle: 'clavicle_*', upperArm: 'upperarm_*', lowerArm: 'lowerarm_*', hand: 'hand_*' }),
      ...limb({ upperLeg: 'thigh_*', lowerLeg: 'calf_*', foot: 'foot_*', toe: 'ball_*', 'index 2': 'index_02_*' }),
    },
  },
  {
    name: 'VRM',
    sides: { left: 'L', right: 'R' },
    joints: chains(
      'J_Bip_',
      ['C_Hips', 'C_Spine', 'C_Chest', 'C_UpperChest', 'C_Neck', 'C_Head'],
      [
        ['C_UpperChest', '*_Shoulder', '*_UpperArm', '*_LowerArm', '*_Hand', '*_Index1'],
        ['C_Hips', '*_UpperLeg', '*_LowerLeg', '*_Foot', '*_ToeBase'],
      ],
    ),
    parts: prefixed('J_Bip_', {
      hips: 'C_Hips',
      head: 'C_Head',
      ...limb({ clavicle: '*_Shoulder', upperArm: '*_UpperArm', lowerArm: '*_LowerArm', hand: '*_Hand' }),
      ...limb({
        upperLeg: '*_UpperLeg',
        lowerLeg: '*_LowerLeg',
        foot: '*_Foot',
        toe: '*_ToeBase',
        'index 1': '*_Index1',
      }),
    }),
  },
  {
    name: 'Unity',
    sides: { left: 'left', right: 'right' },
    joints: chains(
      '',
      ['hips', 'spine', 'chest', 'neck', 'head'],
      [
        ['chest', '*Shoulder', '*UpperArm', '*LowerArm', '*Hand', '*IndexProximal', '*IndexIntermediate'],
        ['hips', '*UpperLeg', '*LowerLeg', '*Foot', '*Toes'],
      ],
    ),
    parts: {
      hips: 'hips',
      head: 'head',
      ...limb({ clavicle: '*Shoulder', upperArm: '*UpperArm', lowerArm: '*LowerArm', hand: '*Hand' }),
      ...limb({
        upperLeg: '*UpperLeg',
        lowerLeg: '*LowerLeg',
        foot: '*Foot',
        toe: '*Toes',
        'index 2': '*IndexIntermediate',
      }),
    },
  },
  {
    name: 'Biped',
    sides: { left: 'L', right: 'R' },
    joints: chains(
      '',
      ['Bip01', 'Bip01 Pelvis', 'Bip01 Spine', 'Bip01 Spine1', 'Bip01 Neck', 'Bip01 Head'],
      [
        ['Bip01 Neck', 'Bip01 * Clavicle', 'Bip01 * UpperArm', 'Bip01 * Forearm', 'Bip01 * Hand', 'Bip01 * Finger1'],
        ['Bip01 Spine', 'Bip01 * Thigh', 'Bip01 * Calf', 'Bip01 * Foot', 'Bip01 * Toe0'],
      ],
    ),
    parts: prefixed('Bip01 ', {
      hips: 'Pelvis',
      head: 'Head',
      ...limb({ clavicle: '* Clavicle', upperArm: '* UpperArm', lowerArm: '* Forearm', hand: '* Hand' }),
      ...limb({ upperLeg: '* Thigh', lowerLeg: '* Calf', foot: '* Foot', toe: '* Toe0', 'index 1': '* Finger1' }),
    }),
  },
  {
    name: 'Blender',
    sides: { left: 'L', right: 'R' },
    joints: chains(
      '',
      ['spine', 'spine.001', 'spine.002', 'spine.003', 'neck', 'head'],
      [
        ['spine.003', 'shoulder.*', 'upper_arm.*', 'forearm.*', 'hand.*'],
        ['spine', 'thigh.*', 'shin.*', 'foot.*', 'toe.*'],
      ],
    ),
    parts: {
      hips: 'spine',
      head: 'head',
      ...limb({ clavicle: 'shoulder.*', upperArm: 'upper_arm.*', lowerArm: 'forearm.*', hand: 'hand.*' }),
      ...limb({ upperLeg: 'thigh.*', lowerLeg: 'shin.*', foot: 'foot.*', toe: 'toe.*' }),
    },
  },
  {
    name: 'Rigify deform bones, each in two pieces',
    sides: { left: 'L', right: 'R' },
    joints: chains(
      'DEF-',
      ['spine', 'spine.001', 'spine.002', 'neck', 'head'],
      [
        ['spine.002', 'shoulder.*', 'upper_arm.*', 'upper_arm.*.001', 'forearm.*', 'forearm.*.001', 'hand.*'],
        ['spine', 'thigh.*', 'thigh.*.001', 'shin.*', 'shin.*.001', 'foot.*', 'toe.*'],
      ],
    ),
    parts: prefixed('DEF-', {
      hips: 'spine',
      head: 'head',
      ...limb({ clavicle: 'shoulder.*', upperArm: 'upper_arm.*', lowerArm: 'forearm.*', hand: 'hand.*' }),
      ...limb({ upperLeg: 'thigh.*', lowerLeg: 'shin.*', foot: 'foot.*', toe: 'toe.*' }),
    }),
  },
  {
    name: 'Poser, where a shoulder is the upper arm',
    sides: { left: 'l', right: 'r' },
    joints: chains(
      '',
      ['hip', 'abdomen', 'chest', 'neck', 'head'],
      [
        ['chest', '*Collar', '*Shldr', '*ForeArm', '*Hand'],
        ['hip', '*Buttock', '*Thigh', '*Shin', '*Foot'],
      ],
    ),
    parts: {
      hips: 'hip',
      head: 'head',
      ...limb({ clavicle: '*Collar', upperArm: '*Shldr', lowerArm: '*ForeArm', hand: '*Hand' }),
      ...limb({ upperLeg: '*Thigh', lowerLeg: '*Shin', foot: '*Foot' }),
    },
  },
  {
    name: 'DAZ with twist joints',
    sides: { left: 'l', right: 'r' },
    joints: chains(
      '',
      ['hip', 'pelvis', 'abdomenLower', 'chestLower', 'neckLower', 'head'],
      [
        ['chestLower', '*Collar', '*ShldrBend', '*ShldrTwist', '*ForearmBend', '*ForearmTwist', '*Hand'],
        ['pelvis', '*ThighBend', '*ThighTwist', '*Shin', '*Foot', '*Metatarsals', '*Toe'],
      ],
    ),
    parts: {
      hips: 'hip',
      head: 'head',
      ...limb({ clavicle: '*Collar', upperArm: '*ShldrBend', lowerArm: '*ForearmBend', hand: '*Hand' }),
      ...limb({ upperLeg: '*ThighBend', lowerLeg: '*Shin', foot: '*Foot', toe: '*Toe' }),
    },
  },
  {
    name: 'joints named after what bends',
    sides: { left: 'Left', right: 'Right' },
    joints: chains(
      '',
      ['Hips', 'Chest', 'Neck', 'Head'],
      [
        ['Chest', '*Collar', '*Shoulder', '*Elbow', '*Wrist'],
        ['Hips', '*Hip', '*Knee', '*Ankle', '*Toe'],
      ],
    ),
    parts: {
      hips: 'Hips',
      head: 'Head',
      ...limb({ clavicle: '*Collar', upperArm: '*Shoulder', lowerArm: '*Elbow', hand: '*Wrist' }),
      ...limb({ upperLeg: '*Hip', lowerLeg: '*Knee', foot: '*Ankle', toe: '*Toe' }),
    },
  },
  {
    name: 'a stylised rig without collarbones',
    sides: { left: 'l', right: 'r' },
    joints: chains(
      '',
      ['Rig', 'root', 'hips', 'spine', 'chest', 'head'],
      [
        ['chest', 'upperarm.*', 'lowerarm.*', 'wrist.*', 'hand.*', 'handslot.*'],
        ['hips', 'upperleg.*', 'lowerleg.*', 'foot.*', 'toes.*'],
      ],
    ),
    parts: {
      hips: 'hips',
      head: 'head',
      ...limb({ upperArm: 'upperarm.*', lowerArm: 'lowerarm.*', hand: 'wrist.*' }),
      ...limb({ upperLeg: 'upperleg.*', lowerLeg: 'lowerleg.*', foot: 'foot.*', toe: 'toes.*' }),
    },
  },
  {
    name: 'lower case run together',
    sides: { left: 'left', right: 'right' },
    joints: chains(
      '',
      ['hips', 'spine', 'chest', 'neck', 'head'],
      [
        ['chest', '*shoulder', '*arm', '*forearm', '*hand'],
        ['hips', '*upleg', '*leg', '*foot', '*toebase'],
      ],
    ),
    parts: {
      hips: 'hips',
      head: 'head',
      ...limb({ clavicle: '*shoulder', upperArm: '*arm', lowerArm: '*forearm', hand: '*hand' }),
      ...limb({ upperLeg: '*upleg', lowerLeg: '*leg', foot: '*foot', toe: '*toebase' }),
    },
  },
  {
    name: 'limbs that are numbered, without hands and feet',
    sides: { left: 'L', right: 'R' },
    joints: chains(
      'Skeleton_',
      ['torso_joint_1', 'torso_joint_2', 'torso_joint_3', 'neck_joint_1', 'neck_joint_2'],
      [
        ['torso_joint_3', 'arm_joint_*__4_', 'arm_joint_*__3_', 'arm_joint_*__2_'],
        ['torso_joint_1', 'leg_joint_*_1', 'leg_joint_*_2', 'leg_joint_*_3', 'leg_joint_*_5'],
      ],
    ),
    parts: prefixed('Skeleton_', {
      ...limb({ upperArm: 'arm_joint_*__4_', lowerArm: 'arm_joint_*__3_', hand: 'arm_joint_*__2_' }),
      ...limb({ upperLeg: 'leg_joint_*_1', lowerLeg: 'leg_joint_*_2', foot: 'leg_joint_*_3' }),
    }),
  },
]

/** Chains of joints, each hanging from the one before it; those after the first begin with the joint they hang from. */
function chains(prefix: string, trunk: string[], others: string[][]): [string, string][] {
  const own = (name: string) => (name.startsWith('Bip01') || name === '' ? name : prefix + name)
  const links = (chain: string[], from: string): [string, string][] =>
    chain.map((joint, i) => [own(joint), own(i === 0 ? from : chain[i - 1])])
  return [...links(trunk, ''), ...others.flatMap(([from, ...chain]) => links(chain, from))]
}

function prefixed(prefix: string, parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([part, joint]) => [part, prefix + joint]))
}

function sided(name: string, side: string): string {
  return name.replace('*', side).replace('^', side[0].toUpperCase())
}

/** All joints, both sides, parents first. */
export function jointsOf({ joints, sides }: Convention): { names: string[]; parents: number[] } {
  const rows: [string, string][] = []
  for (const [joint, parent] of joints) {
    const both = [sides.left, sides.right].map((side): [string, string] => [sided(joint, side), sided(parent, side)])
    rows.push(both[0])
    if (both[1][0] !== both[0][0]) rows.push(both[1])
  }
  const names = rows.map(([name]) => name)
  return { names, parents: rows.map(([, parent]) => (parent === '' ? -1 : names.indexOf(parent))) }
}

/** `left upperArm` -> joint name. */
export function partsOf({ parts, sides }: Convention): Map<string, string> {
  const found = new Map<string, string>()
  for (const [part, joint] of Object.entries(parts)) {
    for (const side of ['left', 'right'] as const) {
      const name = sided(joint, sides[side])
      if (name === joint) found.set(part, joint)
      else found.set(`${side} ${part}`, name)
    }
  }
  return found
}
