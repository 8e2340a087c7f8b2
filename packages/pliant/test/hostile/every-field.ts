/** One of every field, small and made in code, with whatever poses it: hostile input goes through all of them. */
import type { Object3D } from 'three'
import { loadCharacter } from '../../src/artifact/character.js'
import { loadField } from '../../src/artifact/load.js'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import { SelfIntersection } from '../../src/exact/self-intersection.js'
import { fieldBox, fieldCapsule, fieldHalfSpace, fieldSphere, fieldTorus } from '../../src/field/analytic.js'
import { BoneCapsulesField } from '../../src/field/bone-capsules.js'
import { BoneGridsField } from '../../src/field/bone-grids.js'
import { VoxelField } from '../../src/field/voxel.js'
import { createPartsField } from '../../src/learned/create-parts.js'
import { SkinnedField } from '../../src/learned/skinned.js'
import { WholeBodyField } from '../../src/learned/whole-body.js'
import type { Floats } from '../../src/math/floats.js'
import { JointCode } from '../../src/model/joint-code.js'
import { ModalBody } from '../../src/model/modal-body.js'
import type { SkeletonPose } from '../../src/model/skeleton.js'
import { createBoneNetwork } from '../../src/net/bones/bone-network.js'
import { tensorsOfParts } from '../../src/net/bones/part-shape.js'
import { createNetwork, type NetworkOptions } from '../../src/net/create-network.js'
import type { NetworkShape } from '../../src/net/network-shape.js'
import { ElasticField, exactTouchField, rigidTouchField } from '../../src/respond/index.js'
import { CharacterCollider, FemBody } from '../../src/sim/index.js'
import { Collider } from '../../src/three/collider.js'
import { SkinnedCollider } from '../../src/three/skinned-collider.js'
import { exampleArtifact } from '../artifact/example.js'
import { box } from '../exact/shapes.js'
import { ARM_BONES, armRest, armRestField } from '../field/two-bones.js'
import { sampleCharacter } from '../model/rig-sample.js'
import { loadWithThree } from '../model/three-reference.js'
import { randomBonePose, randomBoneShape, randomBoneTensors } from '../net/bones/random-bones.js'
import { randomSkeleton, randomSkeletonPose } from '../net/bones/random-skeleton.js'
import { twoCubes, UPRIGHT } from '../net/bones/two-parts.js'
import { randomTensors } from '../net/random-network.js'
import { bar } from '../sim/fem/bars.js'
import { randomCharacter } from '../three/random-character.js'

type Ask = (points: Floats, count: number, distances: Floats) => void
type AskBoth = (points: Floats, count: number, distances: Floats, gradients: Floats) => void

/** Arrays that say where the body is, and the verb that takes them; a verb refuses by naming an `item`. */
export interface Posing {
  verb: string
  item: RegExp
  arrays: Record<string, Float64Array>
  pose(arrays: Record<string, Float64Array>): void
  /** Arrays may be left out, or be plain ones. */
  loose?: string[]
}

export interface FieldCase {
  evaluate?: Ask
  gradient: AskBoth
  posings?: Posing[]
  dispose?(): void
}

const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

const asked = (field: { evaluate?: Ask; gradient: AskBoth }, posings: Posing[] = []): FieldCase => ({
  evaluate: field.evaluate?.bind(field),
  gradient: field.gradient.bind(field),
  posings,
})

const byCode = (field: { pose(code: Float64Array): void }, code: number[]): Posing => ({
  verb: 'pose',
  item: /code/,
  arrays: { code: Float64Array.from(code) },
  pose: ({ code: values }) => field.pose(values),
  loose: ['code'],
})

const bySkeleton = (field: { poseSkeleton(pose: SkeletonPose): void }, pose: SkeletonPose): Posing => ({
  verb: 'poseSkeleton',
  item: /joint \d+/,
  arrays: { ...pose },
  pose: (arrays) => field.poseSkeleton(arrays as never),
})

const byNodes = (verb: string, item: RegExp, nodes: Float64Array, pose: (nodes: Float64Array) => void): Posing => ({
  verb,
  item,
  arrays: { nodes },
  pose: (arrays) => pose(arrays['nodes']),
})

function character() {
  const skeleton = randomSkeleton(7, 6)
  const code = new JointCode(skeleton, {
    joints: Uint16Array.of(1, 1, 1),
    axes: Uint8Array.of(0, 1, 2),
    units: new Float64Array(3).fill(Math.PI),
    fixed: skeleton.createPose(),
    bounds: { lower: new Float64Array(3).fill(-0.5), upper: new Float64Array(3).fill(0.5) },
    dropped: [],
    largestAngle: 1,
  })
  return { skeleton, code, pose: randomSkeletonPose(skeleton, 3) }
}

async function skinned(options: NetworkOptions): Promise<FieldCase> {
  const { skeleton, code, pose } = character()
  const shape = randomBoneShape(6, { boneCount: 6 })
  const network = await createBoneNetwork(shape, randomBoneTensors(shape, 6), options)
  const field = new SkinnedField(skeleton, code, network)
  const { matrices, drivers } = randomBonePose(shape, 6)
  const byMatrices: Posing = {
    verb: 'BoneNetwork.pose',
    item: /joint \d+|bone \d+/,
    arrays: { matrices, drivers },
    pose: (arrays) => network.pose(arrays['matrices'], arrays['drivers']),
    loose: ['matrices', 'drivers'],
  }
  const posings = [byCode(field, [0.1, -0.2, 0.3]), bySkeleton(field, pose), byMatrices]
  return { ...asked(field, posings), dispose: () => field.dispose() }
}

async function wholeBody(): Promise<FieldCase> {
  const { code, pose } = character()
  const dense: NetworkShape = {
    code: 3,
    conditioning: { kind: 'input' },
    warp: null,
    grids: [],
    hidden: [8, 8],
    activation: 'relu',
    output: 'tanh',
  }
  const shape = { dense, centre: [0, 0, 0], scale: 2, domain: { lower: [-1, -1, -1], upper: [1, 1, 1] } } as const
  const field = new WholeBodyField('arm', code, shape, 0.2, await createNetwork(dense, randomTensors(dense, 3)))
  return asked(field, [byCode(field, [0.1, -0.2, 0.3]), bySkeleton(field, pose)])
}

async function parts(elastic: boolean): Promise<FieldCase> {
  const body = twoCubes(3)
  const modal = new ModalBody({ rest: body.rest, masses: body.masses, modes: body.modes })
  const shape = randomBoneShape(5, { boneCount: 2, nearest: 2 })
  for (const [joint, bone] of shape.bones.entries()) Object.assign(bone, { joint, drivers: [1 - joint] })
  const weights = Float32Array.from({ length: 32 }, (_, i) => (Math.floor(i / 16) === Math.floor((i % 16) / 8) ? 1 : 0))
  const axes = Float32Array.from([...UPRIGHT, ...UPRIGHT])
  const tensors = new Map([...randomBoneTensors(shape, 5), ...tensorsOfParts({ weights, axes })])
  const bounds = { size: 3, lower: [-1, -1, -1], upper: [1, 1, 1] }
  const field = await createPartsField({ name: 'cubes', code: bounds } as never, shape, tensors, modal, {})
  if (elastic) {
    const moving = new ElasticField(modal, field)
    return asked(moving, [byNodes('ElasticField.follow', /node \d+/, body.rest, (nodes) => moving.follow(nodes))])
  }
  const poseNodes = byNodes('poseNodes', /node \d+/, body.rest, (nodes) => field.poseNodes(nodes, [0, 0, 0]))
  return asked(field, [byCode(field, [0.1, -0.2, 0.3]), poseNodes])
}

async function elasticByCode(): Promise<FieldCase> {
  const body = twoCubes(2)
  const modal = new ModalBody({ rest: body.rest, masses: body.masses, modes: body.modes })
  const moving = new ElasticField(modal, await loadField(exampleArtifact()))
  return asked(moving, [byNodes('ElasticField.follow', /node \d+/, body.rest, (nodes) => moving.follow(nodes))])
}

async function collider(): Promise<FieldCase> {
  const glb = await sampleCharacter()
  const artifact = randomCharacter(glb, 4)
  const { scene } = await loadWithThree(glb)
  const live = new SkinnedCollider(new Collider(artifact, await loadCharacter(artifact)), scene)
  let arm: Object3D | undefined
  scene.traverse((object) => {
    if (object.name === 'armL') arm = object
  })
  const joint = arm!
  const place = Float64Array.from(joint.position.toArray())
  const turn = Float64Array.from(joint.quaternion.toArray())
  const update: Posing = {
    verb: 'SkinnedCollider.update',
    item: /joint \d+ \('armL'\)/,
    arrays: { place, turn },
    pose(arrays) {
      joint.position.fromArray(Array.from(arrays['place'] ?? []))
      joint.quaternion.fromArray(Array.from(arrays['turn'] ?? []))
      try {
        live.update(1 / 60)
      } catch (refusal) {
        // Another kind of error than what is expected.
        if (![...live.pose.translations, ...live.pose.rotations].every(Number.isFinite)) throw new Error('took it over')
        throw refusal
      }
    },
    loose: ['place', 'turn'],
  }
  return { evaluate: live.evaluate.bind(live), gradient: live.query.bind(live), posings: [update] }
}

function characterCollider(): FieldCase {
  const { skeleton, pose } = character()
  const bones = [{ joint: 1, start: [0, 0, 0], end: [0.3, 0, 0], radius: 0.1 }] as const
  const field = { poseSkeleton: () => {}, gradient: fieldSphere([0, 0, 0], 0.3).gradient }
  const body = new CharacterCollider(skeleton, bones, field)
  body.update(pose, identity, 0.1)
  const update: Posing = {
    verb: 'CharacterCollider.update',
    item: /joint \d+|root frame/,
    arrays: { ...pose, rootFrame: identity.slice() },
    pose: ({ rootFrame, ...rest }) => body.update(rest as never, rootFrame, 0.1),
    loose: ['rootFrame'],
  }
  return { gradient: body.query.bind(body), posings: [update] }
}

function rigidBones(field: BoneCapsulesField | BoneGridsField): FieldCase {
  const poseMatrices: Posing = {
    verb: 'poseMatrices',
    item: /joint \d+/,
    arrays: { matrices: armRest },
    pose: ({ matrices }) => field.poseMatrices(matrices),
    loose: ['matrices'],
  }
  return asked(field, [poseMatrices])
}

function exact(sign: 'winding' | 'pseudonormal'): FieldCase {
  const mesh = box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
  const field = new ExactMeshField(mesh, { sign })
  const crossing = new SelfIntersection(mesh)
  const positions = Float64Array.from(mesh.positions)
  return asked(field, [
    byNodes('ExactMeshField.update', /vertex \d+/, positions, (nodes) => field.update(nodes)),
    byNodes('SelfIntersection.update', /vertex \d+/, positions, (nodes) => crossing.update(nodes)),
  ])
}

function touchFields(kind: 'exact' | 'rigid'): FieldCase {
  const mesh = bar([0.4, 0.3, 0.2], [2, 1, 1])
  const body = new FemBody(mesh)
  const field =
    kind === 'exact'
      ? exactTouchField(body, new ExactMeshField(body.surface))
      : rigidTouchField(fieldBox([0.2, 0.15, 0.1], [0.2, 0.15, 0.1]), mesh.positions, body.masses)
  field.follow(mesh.positions)
  return asked(field, [byNodes(`${kind} follow`, /node \d+/, mesh.positions, (nodes) => field.follow(nodes))])
}

const ball = fieldSphere([0, 0, 0], 0.5)
const around = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const

export const EVERY_FIELD: Record<string, () => FieldCase | Promise<FieldCase>> = {
  sphere: () => asked(ball),
  box: () => asked(fieldBox([0, 0, 0], [0.5, 0.4, 0.3])),
  capsule: () => asked(fieldCapsule([0, 0, 0], [1, 0, 0], 0.2)),
  torus: () => asked(fieldTorus([0, 0, 0], 0.5, 0.1)),
  'half-space': () => asked(fieldHalfSpace([0, 1, 0], 0)),
  voxels: () => asked(VoxelField.sample(ball, around, { resolution: 8 })),
  exact: () => exact('winding'),
  'exact by pseudonormals': () => exact('pseudonormal'),
  'bone capsules': () => rigidBones(new BoneCapsulesField(ARM_BONES)),
  'bone grids': () => rigidBones(BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 6 })),
  'bone grids, soft': () =>
    rigidBones(BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 6, softness: 0.05 })),
  neural: async () => {
    const field = await loadField(exampleArtifact())
    return asked(field, [byCode(field, [0.5, -1])])
  },
  'neural, scalar': async () => {
    const field = await loadField(exampleArtifact(), { backend: 'scalar' })
    return asked(field, [byCode(field, [0.5, -1])])
  },
  'whole body': wholeBody,
  skinned: () => skinned({ backend: 'auto' }),
  'skinned, scalar': () => skinned({ backend: 'scalar' }),
  'skinned, threads': () => skinned({ backend: 'auto', threads: 2 }),
  parts: () => parts(false),
  'elastic by nodes': () => parts(true),
  'elastic by code': elasticByCode,
  'exact of a body': () => touchFields('exact'),
  'rigid with a body': () => touchFields('rigid'),
  'character collider': characterCollider,
  'collider in three.js': collider,
}
