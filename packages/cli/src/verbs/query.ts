/** `pliant query`: learned signed distance of points to an object at a code. */
import { makeFloats, npyBytes, readPoints } from '../arrays.js'
import { readTrained } from '../artifact-file.js'
import { readAskedState, stateJson } from '../asked-state.js'
import { inBatches } from '../batches.js'
import { SUMMARY_KEYS, summarise, summaryRows } from '../distance-summary.js'
import { checkWritable, type OutputFile, writeAllBeside } from '../files.js'
import { formatNumber, labelled } from '../format.js'
import { commandOf } from '../kinds/index.js'
import { type Backend, openLearnedField } from '../learned-field.js'
import { describeMotion, MOTION_OPTIONS } from '../motions.js'
import type { Verb } from '../verb.js'

export const query: Verb = {
  name: 'query',
  summary:
    'learned signed distance of points to a trained object at a code, a moment of a motion, or where its nodes are',
  operands: [{ name: 'FILE', help: 'a trained artifact, or a GLB that carries one' }],
  options: {
    code: {
      value: 'Z.npy',
      help: "the code, shape [c] or [1, c]; 'pliant inspect FILE' says what it means; a static object needs none. Of a character it leaves hands, feet and head at their mean over the clips (measured on one: .251% of the height off where --motion gives .080%)",
    },
    motion: {
      value: 'FILE',
      help: 'a character only: pose every joint, hands and head included, by this .bvh or glTF motion at --time',
    },
    clip: {
      value: 'NAME',
      help: 'a character only: which clip of --motion; without --motion, of FILE itself, if it is a GLB',
    },
    time: { value: 'SECONDS', help: 'moment of the motion (default 0)' },
    frame: {
      value: 'NAME',
      choices: ['root', 'world'],
      help: 'of --motion: points and normals in the root frame (default), or in the world, where the clip carries the root',
    },
    ...MOTION_OPTIONS,
    nodes: {
      value: 'X.npy',
      help: 'a soft body only: where its nodes are [m], shape [nodes, 3]; points are in the same frame',
    },
    points: {
      value: 'P.npy',
      help: 'points [m] in the rest frame (of a character: its root frame, see --frame), shape [n, 3]',
      required: true,
    },
    out: { value: 'D.npy', help: 'receives the distances [m], shape [n], negative inside', required: true },
    normals: { value: 'N.npy', help: 'receives outward unit normals, shape [n, 3]: the gradients at length one' },
    gradients: { value: 'G.npy', help: 'receives the gradients of the distance as they are, shape [n, 3]' },
    backend: {
      value: 'NAME',
      choices: ['simd', 'ort', 'scalar'],
      help: 'what computes: WebAssembly (default where the host has it), onnxruntime-node, or plain JavaScript',
    },
    threads: { value: 'N', help: 'threads that share the points (default 1)' },
  },
  examples: [
    'pliant query bar.safetensors --code Z.npy --points P.npy --out D.npy --normals N.npy',
    'pliant query hero.safetensors --motion walk.bvh --time 1.5 --points P.npy --out D.npy',
    'pliant query hero-collider.glb --clip Walk --time 0.4 --frame world --points P.npy --out D.npy',
    'pliant query bunny.safetensors --nodes X.npy --points P.npy --out D.npy',
  ],
  json: {
    ...SUMMARY_KEYS,
    backend: 'what computed',
    state:
      '{ by: code, nodes or motion; of a motion time, frame, file, clip, share, matched, atRest, unused, reference }',
    expectedError: 'mean error of distances near the surface that the field expects of itself at this pose [m]',
    trusted: 'whether that is ordinary: no more than 2.4 times the mean error that the file was measured to have',
    fault: 'why its training marked the file as bad, or null',
    files: 'files written',
  },
  async run(call) {
    const { args } = call
    const [path] = args.operands
    const pointsPath = args.required('points')
    const threads = args.integer('threads', { lower: 1, upper: 256 })
    const outputs = ['out', 'normals', 'gradients'].flatMap((name) => args.text(name) ?? [])
    const inputs = ['code', 'nodes', 'aliases'].flatMap((name) => args.text(name) ?? [])
    await checkWritable(outputs, [path, pointsPath, ...inputs, ...(args.text('motion')?.split(',') ?? [])])
    const file = await readTrained(path)
    const { fault = null } = file.artifact.manifest
    const asking = commandOf(path, file.artifact, 'query')
    const state = await readAskedState(path, file.artifact, asking, args)
    const points = await readPoints(pointsPath)
    const backendWanted = args.text('backend') as Backend | undefined
    const field = await openLearnedField(file, asking, state, { backend: backendWanted, threads })

    const { count, precision } = points
    const distances = makeFloats(precision, count)
    const wantsGradients = args.has('normals') || args.has('gradients')
    const gradients = wantsGradients ? makeFloats(precision, 3 * count) : undefined
    const start = performance.now()
    await inBatches(count, 'asking the network', call, (from, to) => {
      const part = gradients?.subarray(3 * from, 3 * to)
      return field.query(points.data.subarray(3 * from, 3 * to), to - from, distances.subarray(from, to), part)
    })
    const summary = summarise(distances, (performance.now() - start) / 1000)
    const { backend, expectedError, trusted } = field
    await field.dispose()

    const files: OutputFile[] = [{ path: args.required('out'), bytes: npyBytes(distances, [count]) }]
    if (gradients && args.has('gradients')) {
      files.push({ path: args.required('gradients'), bytes: npyBytes(gradients, [count, 3]) })
    }
    if (gradients && args.has('normals')) {
      files.push({ path: args.required('normals'), bytes: npyBytes(toUnitLength(gradients), [count, 3]) })
    }
    await writeAllBeside(files)
    const rows = [...summaryRows(summary), ['backend', backend] as [string, string]]
    if (state.kind === 'pose') rows.push(['motion', describeMotion(state.motion)])
    rows.push(['expected error', `${formatNumber(expectedError)} m in the mean near the surface`])
    if (!trusted) rows.push(['warning', 'that is far more than the file was measured to have; answers are guesses'])
    rows.push(['written', outputs.join(', ')])
    return {
      json: { ...summary, backend, state: stateJson(state), expectedError, trusted, fault, files: outputs },
      text: labelled(rows),
    }
  },
}

/** In place; a gradient of zero has no direction and stays zero. */
function toUnitLength<T extends Float32Array | Float64Array>(vectors: T): T {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2])
    if (length > 0) for (let axis = i; axis < i + 3; axis++) vectors[axis] /= length
  }
  return vectors
}
