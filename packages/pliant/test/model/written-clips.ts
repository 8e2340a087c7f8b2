/** Small rigs and clips to be written to files, and where their joints are, by our own skeletons and by other readers. */
import { WebIO } from '@gltf-transform/core'
import { AnimationMixer, type Object3D, Vector3 } from 'three'
import { quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { type Clip, type ClipTrack, sampleClip } from '../../src/model/clip.js'
import { Skeleton } from '../../src/model/skeleton.js'
import type { SkinnedSurface } from '../../src/model/skinned-surface.js'
import { loadWithThree } from './three-reference.js'

export interface SmallRigOptions {
  seed?: number
  names?: string[]
  /** Of the node above the root joint; lengths below it are divided by it. */
  armatureScale?: number
}

const NAMES = ['armature', 'hips', 'spine', 'arm', 'hand', 'head', 'leg', 'foot']
const PARENTS = Int32Array.of(-1, 0, 1, 2, 3, 2, 1, 6)

/** A body of about 1.5 m whose joints' axes are turned at random, a triangle on each. */
export function smallRig({ seed = 1, names = NAMES, armatureScale = 1 }: SmallRigOptions = {}) {
  const random = randomStream(seed)
  const count = names.length
  const rest = {
    translations: Float64Array.from({ length: 3 * count }, () => (0.3 * random.normal()) / armatureScale),
    rotations: new Float64Array(4 * count),
    scales: new Float64Array(3 * count).fill(1),
  }
  for (let joint = 0; joint < count; joint++) {
    quaternionOfVector([random.normal(), random.normal(), random.normal()], 0, rest.rotations, 4 * joint)
  }
  rest.translations.set([0.5, 0.2, -0.3])
  rest.scales.fill(armatureScale, 0, 3)
  const skeleton = new Skeleton({ names, parents: PARENTS, root: 1, rest })
  return { skeleton, surface: triangles(skeleton, seed), nodes: Int32Array.from(names, (_, joint) => joint) }
}

/** Bound in another pose than that of rest, each vertex by two bones. */
function triangles({ jointCount, root }: Skeleton, seed: number): SkinnedSurface {
  const random = randomStream(seed + 1000)
  const bones = jointCount - root
  const inverseBind = new Float64Array(16 * bones)
  for (let bone = 0; bone < bones; bone++) {
    const place = [random.normal(), random.normal(), random.normal()]
    inverseBind.set([0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, ...place, 1], 16 * bone)
  }
  const vertices = 3 * bones
  return {
    bound: Float64Array.from({ length: 3 * vertices }, () => random.normal()),
    triangles: Uint32Array.from({ length: vertices }, (_, i) => i),
    bones: { joints: Uint16Array.from({ length: bones }, (_, bone) => root + bone), inverseBind },
    influenceStarts: Uint32Array.from({ length: vertices + 1 }, (_, v) => 2 * v),
    influenceBones: Uint16Array.from({ length: 2 * vertices }, (_, k) => Math.floor(k / 6) + (k % 2 ? 1 : 0)).map(
      (bone) => bone % bones,
    ),
    influenceWeights: Float32Array.from({ length: 2 * vertices }, (_, k) => (k % 2 ? 0.25 : 0.75)),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}

/** All joints below the armature turn, the root walks; signs of quaternions change as they like. */
export function smallClip(skeleton: Skeleton, { seed = 5, frames = 12, frameTime = 0.1, name = 'walk' } = {}): Clip {
  const random = randomStream(seed)
  const times = Float32Array.from({ length: frames }, (_, frame) => frame * frameTime)
  const tracks: ClipTrack[] = []
  const scale = skeleton.rest.scales[0]
  for (let target = 1; target < skeleton.jointCount; target++) {
    const values = new Float32Array(4 * frames)
    const v = [0, 0, 0]
    for (let frame = 0; frame < frames; frame++) {
      for (let k = 0; k < 3; k++) v[k] += 0.5 * random.normal()
      quaternionOfVector(v, 0, values, 4 * frame)
      if (random.uniform() < 0.5) for (let k = 0; k < 4; k++) values[4 * frame + k] *= -1
    }
    tracks.push({ target, path: 'rotation', interpolation: 'LINEAR', times, values, size: 4 })
  }
  const path = Float32Array.from({ length: 3 * frames }, () => random.normal() / scale)
  tracks.push({ target: 1, path: 'translation', interpolation: 'LINEAR', times, values: path, size: 3 })
  return { name, duration: times[frames - 1], tracks }
}

/** Five times of a clip, none of them its end, at which players begin again. */
export function fiveTimes({ duration }: Clip): number[] {
  return [0, 0.13, 0.37, 0.61, 0.99].map((share) => share * duration)
}

/** World places of the joints, 3 each. */
export function ownPlaces(skeleton: Skeleton, clip: Clip, time: number): number[] {
  const pose = skeleton.createPose()
  const world = new Float64Array(16 * skeleton.jointCount)
  sampleClip(skeleton, clip, time, pose)
  skeleton.worldMatrices(pose, world)
  return Array.from({ length: 3 * skeleton.jointCount }, (_, i) => world[16 * Math.floor(i / 3) + 12 + (i % 3)])
}

/** Extent of the joints at rest: what errors are a share of. */
export function extent(skeleton: Skeleton): number {
  const { restMatrices } = skeleton
  let largest = 0
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    largest = Math.max(largest, Math.hypot(...restMatrices.subarray(16 * joint + 12, 16 * joint + 15)))
  }
  return largest
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} numbers`)
  return Array.from(a).reduce((largest, value, i) => {
    const apart = Math.abs(value - b[i])
    return Number.isNaN(apart) ? Infinity : Math.max(largest, apart)
  }, 0)
}

/** World places of a GLB's nodes while three.js plays a clip: of those that are asked for, 3 each, -1 left out. */
export async function threePlayer(glb: Uint8Array, name: string) {
  const gltf = await loadWithThree(glb)
  const objects = new Map<number, Object3D>()
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes
    if (node !== undefined && !objects.has(node)) objects.set(node, object)
  })
  const clip = gltf.animations.find((animation) => animation.name === name)!
  const mixer = new AnimationMixer(gltf.scene)
  mixer.clipAction(clip).play()
  return (time: number, nodes: Iterable<number>): number[] => {
    mixer.setTime(time)
    gltf.scene.updateMatrixWorld(true)
    return [...nodes].flatMap((node) => objects.get(node)!.getWorldPosition(new Vector3()).toArray())
  }
}

/** The same as glTF-Transform reads it, at the keys of the animation, which are its frames. */
export async function transformPlayer(glb: Uint8Array, name: string) {
  const root = (await new WebIO().readBinary(glb)).getRoot()
  const animation = root.listAnimations().find((each) => each.getName() === name)!
  const nodes = root.listNodes()
  return {
    times: [...animation.listSamplers()[0].getInput()!.getArray()!],
    places(key: number, wanted: Iterable<number>): number[] {
      for (const channel of animation.listChannels()) {
        const value: number[] = channel.getSampler()!.getOutput()!.getElement(key, [])
        const node = channel.getTargetNode()!
        const path = channel.getTargetPath()
        if (path === 'rotation') node.setRotation(value as [number, number, number, number])
        else if (path === 'translation') node.setTranslation(value as [number, number, number])
        else if (path === 'scale') node.setScale(value as [number, number, number])
      }
      return [...wanted].flatMap((node) => nodes[node].getWorldTranslation())
    },
  }
}
