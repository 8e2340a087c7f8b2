/** The animations of a glTF file as keys; nothing is evaluated here. */
import type { GltfAnimation, GltfChannel } from './gltf.js'
import { type GltfType, readAccessor } from './gltf-accessor.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'

const VALUE_TYPES: Record<GltfChannel['path'], GltfType> = {
  translation: 'VEC3',
  rotation: 'VEC4',
  scale: 'VEC3',
  weights: 'SCALAR',
}
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const

export function readAnimations(file: GltfFile, nodes: number): GltfAnimation[] {
  return file.json.objects('animations').map((animation, number) => {
    const samplers = animation.objects('samplers')
    const channels: GltfChannel[] = []
    for (const channel of animation.objects('channels')) {
      const target = channel.object('target')
      const path = target.string('path')
      // Extensions animate other things; a channel without a node is theirs.
      if (path === undefined || !Object.hasOwn(VALUE_TYPES, path) || !target.has('node')) continue
      const sampler = samplers[channel.index('sampler', samplers.length, 'samplers')]
      const node = target.index('node', nodes, 'nodes')
      channels.push({ node, ...readSampler(file, sampler, path as GltfChannel['path']) })
    }
    const duration = channels.reduce((latest, { times }) => Math.max(latest, times.at(-1) ?? 0), 0)
    return { name: animation.string('name') ?? `animation${number}`, duration, channels }
  })
}

function readSampler(file: GltfFile, sampler: GltfObject, path: GltfChannel['path']): Omit<GltfChannel, 'node'> {
  const name = sampler.string('interpolation') ?? 'LINEAR'
  const interpolation = INTERPOLATIONS.find((each) => each === name)
  if (interpolation === undefined) throw sampler.error('has an interpolation that is not known; check the file.')
  const times = readAccessor(file, sampler.index('input', file.accessors.length, 'accessors'), 'SCALAR')
  const output = sampler.index('output', file.accessors.length, 'accessors')
  const values = readAccessor(file, output, VALUE_TYPES[path])
  for (let i = 1; i < times.length; i++) {
    if (times[i] < times[i - 1]) throw sampler.error(`has times that fall at key ${i}; check the file.`)
  }
  const perTime = interpolation === 'CUBICSPLINE' ? 3 : 1
  const valuesPerKey = values.length / (perTime * times.length)
  const due = path === 'weights' ? Math.max(1, Math.round(valuesPerKey)) : path === 'rotation' ? 4 : 3
  if (times.length === 0 || valuesPerKey !== due) {
    throw sampler.error(`has ${times.length} times for ${values.length} numbers of ${path}; check the file.`)
  }
  file.budget.draw(4 * (times.length + values.length), sampler.path)
  return { path, interpolation, times: Float32Array.from(times), values: Float32Array.from(values), valuesPerKey }
}
