/** An animation of a glTF file that is being written: a sampler for each channel, key times shared between them. */
import type { GltfBuffer } from './gltf-write-buffer.js'

export interface GltfSourceAnimation {
  readonly name: string
  readonly channels: readonly GltfSourceChannel[]
}

export interface GltfSourceChannel {
  /** The node that it moves, by its number in the file. */
  readonly node: number
  readonly path: 'translation' | 'rotation' | 'scale' | 'weights'
  readonly interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE'
  /** Key times [s], rising. */
  readonly times: Float32Array
  /** One after the other, as many numbers per key as the path has; three times as many with CUBICSPLINE. */
  readonly values: Float32Array
}

export interface AnimationJson {
  name: string
  channels: { sampler: number; target: object }[]
  samplers: object[]
}

export function animationJson({ name, channels }: GltfSourceAnimation, buffer: GltfBuffer): AnimationJson {
  const type = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const
  return {
    name,
    channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
    samplers: channels.map(({ path, interpolation, times, values }) => ({
      input: buffer.sharedAccessor(times, 'SCALAR', { bounds: true }),
      interpolation,
      output: buffer.accessor(values, type[path]),
    })),
  }
}
