/** `pliant query`: learned signed distance of points to an object at a code. */
import { makeFloats, npyBytes, readCode, readPoints } from '../arrays.js'
import { readTrained } from '../artifact-file.js'
import { inBatches } from '../batches.js'
import { SUMMARY_KEYS, summarise, summaryRows } from '../distance-summary.js'
import { checkWritable, type OutputFile, writeAllBeside } from '../files.js'
import { labelled } from '../format.js'
import { type Backend, openLearnedField } from '../learned-field.js'
import type { Verb } from '../verb.js'

export const query: Verb = {
  name: 'query',
  summary: 'learned signed distance of points to a trained object at a code',
  operands: [{ name: 'FILE', help: 'a trained artifact, or a GLB that carries one' }],
  options: {
    code: {
      value: 'Z.npy',
      help: "the code, shape [c] or [1, c]; 'pliant inspect FILE' says what it means; a static object needs none",
    },
    points: {
      value: 'P.npy',
      help: 'points [m] in the rest frame (of a character: its root frame), shape [n, 3]',
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
  examples: ['pliant query bar.safetensors --code Z.npy --points P.npy --out D.npy --normals N.npy'],
  json: {
    ...SUMMARY_KEYS,
    backend: 'what computed',
    inDistribution: 'whether the code lies in the range that was trained; outside it answers are guesses',
    files: 'files written',
  },
  async run(call) {
    const { args } = call
    const [path] = args.operands
    const codePath = args.text('code')
    const pointsPath = args.required('points')
    const threads = args.integer('threads', { lower: 1, upper: 256 })
    const outputs = ['out', 'normals', 'gradients'].flatMap((name) => args.text(name) ?? [])
    await checkWritable(outputs, [path, pointsPath, ...(codePath === undefined ? [] : [codePath])])
    const file = await readTrained(path)
    const { size } = (file.kind === 'character' ? file.character : file.artifact).manifest.code
    // The code of a static object is empty: nobody should have to save an empty array.
    const code =
      size === 0 && codePath === undefined ? new Float64Array(0) : await readCode(args.required('code'), size, path)
    const points = await readPoints(pointsPath)
    const backendWanted = args.text('backend') as Backend | undefined
    const field = await openLearnedField(file, code, { backend: backendWanted, threads })

    const { count, precision } = points
    const distances = makeFloats(precision, count)
    const wantsGradients = args.has('normals') || args.has('gradients')
    const gradients = wantsGradients ? makeFloats(precision, 3 * count) : undefined
    const start = performance.now()
    await inBatches(count, 'asking the network', call, (from, to) => {
      const part = gradients?.subarray(3 * from, 3 * to)
      return field.ask(points.data.subarray(3 * from, 3 * to), to - from, distances.subarray(from, to), part)
    })
    const summary = summarise(distances, (performance.now() - start) / 1000)
    const { backend, inDistribution } = field
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
    if (!inDistribution) rows.push(['warning', 'the code lies outside the trained range; answers are guesses'])
    rows.push(['written', outputs.join(', ')])
    return { json: { ...summary, backend, inDistribution, files: outputs }, text: labelled(rows) }
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
