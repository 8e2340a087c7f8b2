/** One of every field, small and made in code, with whatever moves it: hostile input goes through all of them. */

import type { Object3D } from 'three'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import { SelfIntersection } from '../../src/exact/self-intersection.js'
import { fieldBox, fieldCapsule, fieldHalfSpace, fieldSphere, fieldTorus } from '../../src/field/analytic.js'
import { BoneCapsulesField } from '../../src/field/bone-capsules.js'
import { BoneGridsField } from '../../src/field/bone-grids.js'
import { BoxedField } from '../../src/field/boxed.js'
import { fieldDifference, fieldIntersection, fieldUnion } from '../../src/field/combined.js'
import type { FrameState, MovingField, NodeState, SignedField, VertexState } from '../../src/field/signed-field.js'
import { timedField } from '../../src/field/timed.js'
import { TransformedField } from '../../src/field/transformed.js'
import { VoxelField } from '../../src/field/voxel.js'
import { load } from '../../src/index.js'
import type { JointState } from '../../src/learned/character-field.js'
import { createPartsField } from '../../src/learned/create-parts.js'
import { GuardedField } from '../../src/learned/guarded.js'
import { ModalField } from '../../src/learned/modal.js'
import type { NeuralFrame } from '../../src/learned/neural.js'
import { SkinnedField } from '../../src/learned/skinned.js'
import { WholeBodyField } from '../../src/learned/whole-body.js'
import { boxOfPoints } from '../../src/math/box.js'
import type { Floats } from '../../src/math/floats.js'
import { JointCode } from '../../src/model/joint-code.js'
import { nodesMeshField, rigidNodesField, skinnedMeshField } from '../../src/model/mesh-fields.js'
import { ModalBody } from '../../src/model/modal-body.js'
import type { SkeletonPose } from '../../src/model/skeleton.js'
import { createBoneNetwork } from '../../src/net/bones/bone-network.js'
import { tensorsOfParts } from '../../src/net/bones/part-shape.js'
import { createNetwork, type NetworkOptions } from '../../src/net/create-network.js'
import type { NetworkShape } from '../../src/net/network-shape.js'
import { CharacterObstacle } from '../../src/sim/dress/character-obstacle.js'
import { FemBody } from '../../src/sim/index.js'
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

/** Arrays that say where the body is, and the verb that takes them; a verb refuses by naming an `item`. */
export interface Posing {
  verb: string
  item: RegExp
  arrays: Record<string, Float64Array>
  pose(arrays: Record<string, Float64Array>): void
  /** Arrays may be left out, or be plain ones. */
  loose?: string[]
  /** A field's `update` itself, and the states that it takes, by their first key. */
  states?: { update(state: never): void; keys: string[] }
}

export interface FieldCase {
  query: SignedField['query']
  posings?: Posing[]
  dispose?(): void
}

const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

const asked = (field: Pick<SignedField, 'query'>, posings: Posing[] = []): FieldCase => ({
  query: field.query.bind(field),
  posings,
})

const byCode = (field: MovingField<{ code: Float64Array }>, code: number[], ...alsoTakes: string[]): Posing => ({
  verb: 'update by code',
  item: /^update: code/,
  arrays: { code: Float64Array.from(code) },
  pose: ({ code: values }) => field.update({ code: values }),
  loose: ['code'],
  states: { update: (state) => field.update(state), keys: ['code', ...alsoTakes] },
})

/** @param matrices  of the pose, for fields that look at them */
const byJoints = (field: MovingField<JointState>, pose: SkeletonPose, matrices?: Float64Array): Posing => ({
  verb: 'update by joints',
  item: /^update: .*joint (\d+|matrix value \d+)/,
  arrays: { ...pose, ...(matrices && { matrices }) },
  pose: ({ matrices: given, ...joints }) => field.update({ joints: joints as never, matrices: given }),
  loose: ['matrices'],
})

const byNodes = (field: MovingField<NodeState>, nodes: Float64Array, ...alsoTakes: string[]): Posing => ({
  verb: 'update by nodes',
  item: /node \d+/,
  arrays: { nodes },
  pose: (arrays) => field.update({ nodes: arrays['nodes'] }),
  states: { update: (state) => field.update(state), keys: ['nodes', ...alsoTakes] },
})

const byVertices = (field: MovingField<VertexState>, vertices: Float64Array): Posing => ({
  verb: 'update by vertices',
  item: /vertex \d+/,
  arrays: { vertices },
  pose: (arrays) => field.update({ vertices: arrays['vertices'] }),
  states: { update: (state) => field.update(state), keys: ['vertices'] },
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
  const own = skeleton.stateOf(pose).matrices
  const posings = [byCode(field, [0.1, -0.2, 0.3], 'joints'), byJoints(field, pose, own), byMatrices]
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
  const frame: NeuralFrame = {
    name: 'arm',
    code: { size: 3, lower: [-1, -1, -1], upper: [1, 1, 1] },
    normalisation: { centre: [0, 0, 0], scale: 2, codeOffset: [0, 0, 0], codeScale: [1, 1, 1] },
    domain: { lower: [-1, -1, -1], upper: [1, 1, 1] },
    truncation: 0.2,
  }
  const field = new WholeBodyField(frame, code, await createNetwork(dense, randomTensors(dense, 3)))
  return asked(field, [byCode(field, [0.1, -0.2, 0.3], 'joints'), byJoints(field, pose)])
}

async function parts(): Promise<FieldCase> {
  const body = twoCubes(3)
  const modal = new ModalBody({ rest: body.rest, masses: body.masses, modes: body.modes })
  const shape = randomBoneShape(5, { boneCount: 2, nearest: 2 })
  for (const [joint, bone] of shape.bones.entries()) Object.assign(bone, { joint, drivers: [1 - joint] })
  const weights = Float32Array.from({ length: 32 }, (_, i) => (Math.floor(i / 16) === Math.floor((i % 16) / 8) ? 1 : 0))
  const axes = Float32Array.from([...UPRIGHT, ...UPRIGHT])
  const tensors = new Map([...randomBoneTensors(shape, 5), ...tensorsOfParts({ weights, axes })])
  const bounds = { size: 3, lower: [-1, -1, -1], upper: [1, 1, 1] }
  const field = await createPartsField({ name: 'cubes', code: bounds } as never, shape, tensors, modal, {})
  return asked(field, [byCode(field, [0.1, -0.2, 0.3], 'nodes'), byNodes(field, body.rest, 'code')])
}

async function byModes(): Promise<FieldCase> {
  const body = twoCubes(2)
  const modal = new ModalBody({ rest: body.rest, masses: body.masses, modes: body.modes })
  const field = new ModalField(modal, await load(exampleArtifact()))
  return asked(field, [byCode(field, [0.5, -1], 'nodes'), byNodes(field, body.rest, 'code')])
}

async function collider(): Promise<FieldCase> {
  const glb = await sampleCharacter()
  const artifact = randomCharacter(glb, 4)
  const { scene } = await loadWithThree(glb)
  const live = new SkinnedCollider(new Collider(artifact, await load(artifact)), scene)
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
  return asked(live, [update])
}

function characterObstacle(): FieldCase {
  const { skeleton, pose } = character()
  const bones = [{ joint: 1, start: [0, 0, 0], end: [0.3, 0, 0], radius: 0.1 }] as const
  const body = new CharacterObstacle(skeleton, bones, { ...fieldSphere([0, 0, 0], 0.3), update: () => {} })
  body.update(pose, identity, 0.1)
  const update: Posing = {
    verb: 'CharacterObstacle.update',
    item: /joint \d+|frame value \d+/,
    arrays: { ...pose, rootFrame: identity.slice() },
    pose: ({ rootFrame, ...rest }) => body.update(rest as never, rootFrame, 0.1),
    loose: ['rootFrame'],
  }
  return asked(body.field, [update])
}

function rigidBones(field: BoneCapsulesField | BoneGridsField): FieldCase {
  const byMatrices: Posing = {
    verb: 'update by matrices',
    item: /joint \d+/,
    arrays: { matrices: armRest },
    pose: ({ matrices }) => field.update({ matrices }),
    loose: ['matrices'],
    states: { update: (state) => field.update(state), keys: ['matrices'] },
  }
  return asked(field, [byMatrices])
}

function exact(sign: 'winding' | 'pseudonormal'): FieldCase {
  const mesh = box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
  const field = new ExactMeshField(mesh, { sign })
  const crossing = new SelfIntersection(mesh)
  const vertices = Float64Array.from(mesh.positions)
  const crossings: Posing = {
    verb: 'SelfIntersection.update',
    item: /vertex \d+/,
    arrays: { vertices },
    pose: (arrays) => crossing.update(arrays['vertices']),
  }
  return asked(field, [byVertices(field, vertices), crossings])
}

/** A bar, by its triangles or rigidly with its nodes. */
function nodeField(kind: 'exact' | 'rigid') {
  const mesh = bar([0.4, 0.3, 0.2], [2, 1, 1])
  const body = new FemBody(mesh)
  const field =
    kind === 'exact'
      ? nodesMeshField(body.surface, body.nodeCount, new ExactMeshField(body.surface))
      : rigidNodesField(fieldBox([0.2, 0.15, 0.1], [0.2, 0.15, 0.1]), mesh.positions, body.masses)
  field.update({ nodes: mesh.positions })
  return { field, nodes: mesh.positions }
}

/** Whatever is put around a field that follows nodes. */
function around(wrap: (field: MovingField<NodeState>) => MovingField<NodeState>): FieldCase {
  const { field, nodes } = nodeField('exact')
  const wrapped = wrap(field)
  return asked(wrapped, [byNodes(wrapped, nodes)])
}

function skinnedMesh(): FieldCase {
  const { skeleton, pose } = character()
  const mesh = box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
  const still = {
    vertexCount: mesh.positions.length / 3,
    positionsOfPose: (_: unknown, out: Floats) => out.set(mesh.positions),
  }
  const field = skinnedMeshField(still, new ExactMeshField(mesh))
  field.update({ joints: pose })
  const states = { update: (state: never) => field.update(state), keys: ['joints'] }
  return asked(field, [
    { verb: 'update by joints', item: /./, arrays: {}, pose: () => field.update({ joints: skeleton.rest }), states },
  ])
}

function transformed(): FieldCase {
  const field = new TransformedField(ball)
  const byFrame: Posing = {
    verb: 'update by frame',
    item: /^transformed field: frame value \d+/,
    arrays: { frame: Float64Array.of(0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0.1, 0.2, 0.3, 1) },
    pose: ({ frame }) => field.update({ frame } as FrameState),
    loose: ['frame'],
    states: { update: (state) => field.update(state), keys: ['frame'] },
  }
  return asked(field, [byFrame])
}

const ball = fieldSphere([0, 0, 0], 0.5)
const near = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const

const guarded = (field: MovingField<NodeState>, trusted: boolean): MovingField<NodeState> =>
  new GuardedField({ ...field, trusted }, nodeField('exact').field)

export const EVERY_FIELD: Record<string, () => FieldCase | Promise<FieldCase>> = {
  sphere: () => asked(ball),
  box: () => asked(fieldBox([0, 0, 0], [0.5, 0.4, 0.3])),
  capsule: () => asked(fieldCapsule([0, 0, 0], [1, 0, 0], 0.2)),
  torus: () => asked(fieldTorus([0, 0, 0], 0.5, 0.1)),
  'half-space': () => asked(fieldHalfSpace([0, 1, 0], 0)),
  voxels: () => asked(VoxelField.sample(ball, near, { resolution: 8 })),
  exact: () => exact('winding'),
  'exact by pseudonormals': () => exact('pseudonormal'),
  'bone capsules': () => rigidBones(new BoneCapsulesField(ARM_BONES)),
  'bone grids': () => rigidBones(BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 6 })),
  'bone grids, soft': () =>
    rigidBones(BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 6, softness: 0.05 })),
  neural: async () => {
    const field = await load(exampleArtifact())
    return asked(field, [byCode(field, [0.5, -1])])
  },
  'neural, scalar': async () => {
    const field = await load(exampleArtifact(), { backend: 'scalar' })
    return asked(field, [byCode(field, [0.5, -1])])
  },
  'whole body': wholeBody,
  skinned: () => skinned({ backend: 'auto' }),
  'skinned, scalar': () => skinned({ backend: 'scalar' }),
  'skinned, threads': () => skinned({ backend: 'auto', threads: 2 }),
  parts,
  'elastic by modes': byModes,
  'triangles of a body': () => around((field) => field),
  'rigid with a body': () => {
    const { field, nodes } = nodeField('rigid')
    return asked(field, [byNodes(field, nodes)])
  },
  'triangles of a character': skinnedMesh,
  'character as an obstacle': characterObstacle,
  transformed,
  union: () => asked(fieldUnion(ball, fieldBox([0.4, 0, 0], [0.2, 0.1, 0.1]))),
  intersection: () => asked(fieldIntersection(ball, fieldBox([0.4, 0, 0], [0.2, 0.1, 0.1]))),
  difference: () => asked(fieldDifference(ball, fieldBox([0.4, 0, 0], [0.2, 0.1, 0.1]))),
  boxed: () => around((field) => new BoxedField(field, { margin: 0.1, boxOf: ({ nodes }) => boxOfPoints(nodes) })),
  timed: () => around((field) => timedField(field, { update: 0, queries: 0 })),
  'guarded, trusted': () => around((field) => guarded(field, true)),
  'guarded, not trusted': () => around((field) => guarded(field, false)),
  'collider in three.js': collider,
}
