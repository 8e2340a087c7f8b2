/**
 * Puts one animation into a GLB that is there, such as a repaired clip into the user's own character. All else in the
 * file keeps its bytes and its numbers, as with a collider (gltf-collider.ts).
 */
import { decomposeMat4 } from '../math/mat4.js'
import { FileError, quoted } from './file-error.js'
import { paddedLength, readGlbChunks, writeGlbChunks } from './glb-chunks.js'
import { embeddedLength, looksLikeGlb, parseJson } from './gltf-container.js'
import { GltfObject } from './gltf-json.js'
import { type AnimationJson, animationJson, type GltfSourceAnimation } from './gltf-write-animation.js'
import { GltfBuffer } from './gltf-write-buffer.js'

export interface GltfClip extends GltfSourceAnimation {
  /**
   * All nodes whose motion this is, those that it leaves at rest included; default: those of its channels. What an
   * earlier animation of the same name did to these is dropped, what it did to others (a sword, a smile) stays.
   */
  readonly nodes?: readonly number[]
}

/** The part of a glTF's JSON that is edited; everything else is passed on. */
interface EditedJson {
  buffers?: { byteLength: number }[]
  bufferViews?: object[]
  accessors?: object[]
  nodes?: Record<string, unknown>[]
  animations?: AnimationJson[]
}

/** Shear of a node's matrix, relative to its size, up to which it counts as rounding. */
const LARGEST_SHEAR = 1e-4

/**
 * @param glb   a character as one `.glb` file; left as it is
 * @param clip  replaces the first animation of its name, whose numbers stay in the file unused, or is added behind all
 * @throws FileError if it is no GLB, is cut short, its first buffer is in another file, or the clip does not fit its nodes
 */
export function clipIntoGlb(glb: Uint8Array, clip: GltfClip): Uint8Array<ArrayBuffer> {
  if (!looksLikeGlb(glb)) throw new FileError('gltf', 'a clip is put into a .glb only; save it as .glb.')
  const { text, binary = new Uint8Array(0), others } = readGlbChunks(glb)
  const value = parseJson(text)
  const file = GltfObject.of(value, '')
  const json = value as EditedJson
  requireClip(clip, file.objects('nodes').length)
  const end = embeddedLength(file, binary.length)
  const start = paddedLength(end)

  const buffer = new GltfBuffer({
    accessors: file.objects('accessors').length,
    bufferViews: file.objects('bufferViews').length,
    bytes: start,
  })
  const added = animationJson(clip, buffer)
  const animations = file.objects('animations')
  const earlier = animations.findIndex((animation, i) => (animation.string('name') ?? `animation${i}`) === clip.name)
  json.animations ??= []
  if (earlier < 0) json.animations.push(added)
  else json.animations[earlier] = replaced(animations[earlier], json.animations[earlier], added, clip)
  for (const { node, path } of clip.channels) {
    if (path !== 'weights') splitMatrix(json.nodes![node], node)
  }

  const { accessors, bufferViews, bytes } = buffer.finish()
  json.accessors = [...(json.accessors ?? []), ...accessors]
  json.bufferViews = [...(json.bufferViews ?? []), ...bufferViews]
  json.buffers ??= []
  json.buffers[0] = { ...json.buffers[0], byteLength: start + bytes.length }
  const newBinary = new Uint8Array(start + bytes.length)
  newBinary.set(binary.subarray(0, end))
  newBinary.set(bytes, start)
  return writeGlbChunks(new TextEncoder().encode(JSON.stringify(json)), newBinary, others)
}

const SIZES = { translation: 3, rotation: 4, scale: 3, weights: undefined } as const

function requireClip({ name, channels }: GltfClip, nodes: number): void {
  const error = (problem: string) => new FileError('gltf', `clip ${quoted(name)} ${problem}`)
  if (channels.length === 0) throw error('moves nothing; pass one with channels.')
  const known = new Set<string>()
  for (const { node, path, interpolation, times, values } of channels) {
    const what = `${path} of node ${node}`
    if (!(Number.isInteger(node) && node >= 0 && node < nodes)) {
      throw error(`has the ${what}, the file has ${nodes} nodes; pass the file that it was made for.`)
    }
    if (known.has(what)) throw error(`has the ${what} twice; pass one channel for both.`)
    known.add(what)
    const perKey = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1)
    const fits = SIZES[path] === undefined ? Number.isInteger(perKey) && perKey > 0 : perKey === SIZES[path]
    if (times.length === 0 || !fits) {
      throw error(`has ${times.length} times for ${values.length} numbers of the ${what}; pass one of each per key.`)
    }
    times.forEach((time, key) => {
      const rises = key === 0 ? time >= 0 : time > times[key - 1]
      if (!rises || !Number.isFinite(time)) {
        throw error(`has the time ${time} at key ${key} of the ${what}; pass times that rise from 0 on.`)
      }
    })
    const wrong = values.findIndex((entry) => !Number.isFinite(entry))
    if (wrong >= 0) {
      const key = Math.floor((wrong * times.length) / values.length)
      throw error(`has ${values[wrong]} at key ${key} of the ${what}; pass finite numbers.`)
    }
  }
}

/** The new animation in the earlier one's place, with what that did to other nodes and things. */
function replaced(earlier: GltfObject, json: AnimationJson, added: AnimationJson, clip: GltfClip): AnimationJson {
  const own = new Set(clip.nodes ?? clip.channels.map(({ node }) => node))
  const weighed = new Set(clip.channels.flatMap(({ node, path }) => (path === 'weights' ? [node] : [])))
  const samplerCount = earlier.objects('samplers').length
  const channels = [...added.channels]
  const samplers = [...added.samplers]
  earlier.objects('channels').forEach((channel, i) => {
    const target = channel.object('target')
    // Extensions animate other things; a channel without a node is theirs.
    const node = target.has('node') ? target.count('node') : -1
    const isOwn = target.string('path') === 'weights' ? weighed.has(node) : own.has(node)
    if (isOwn) return
    const sampler = channel.index('sampler', samplerCount, 'samplers')
    channels.push({ ...json.channels[i], sampler: samplers.length })
    samplers.push(json.samplers[sampler])
  })
  return { ...json, name: added.name, channels, samplers }
}

/** A node that is animated may not have a matrix (glTF 2.0, section 3.5.3): it becomes the three parts of one. */
function splitMatrix(node: Record<string, unknown>, number: number): void {
  if (node['matrix'] === undefined) return
  const matrix = GltfObject.of(node, `nodes[${number}]`).numbers('matrix', 16, [])
  const rotation = new Float64Array(4)
  const scale = new Float64Array(3)
  const shear = decomposeMat4(matrix, 0, rotation, 0, scale, 0)
  if (!(shear <= LARGEST_SHEAR)) {
    throw new FileError(
      'gltf',
      `the matrix of nodes[${number}] is no translation, rotation and scale; apply it in the modelling program.`,
    )
  }
  delete node['matrix']
  Object.assign(node, { translation: matrix.slice(12, 15), rotation: [...rotation], scale: [...scale] })
}
