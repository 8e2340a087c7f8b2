/** `pliant export`: an artifact for other engines. */
import { readTrained } from '../artifact-file.js'
import { UsageError } from '../errors.js'
import { exportGltf } from '../export-gltf.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatBytes } from '../format.js'
import type { Report } from '../output.js'
import type { Verb } from '../verb.js'

export const exportVerb: Verb = {
  name: 'export',
  summary: 'writes an artifact as a plain ONNX model, or into the GLB of its character',
  operands: [{ name: 'FILE', help: 'a trained artifact, or a GLB that carries one' }],
  options: {
    onnx: { value: 'OUT', help: 'where the ONNX model goes, with distance and gradient as outputs' },
    gltf: { value: 'OUT.glb', help: 'where the GLB goes that carries the artifact, which other viewers pass over' },
    into: {
      value: 'CHARACTER.glb',
      help: 'with --gltf: the GLB to put it into, which must be that of the character by bones and surface; nothing else in it changes',
    },
  },
  examples: [
    'pliant export bar.safetensors --onnx bar.onnx',
    'pliant export hero.safetensors --gltf hero-collider.glb --into hero.glb',
  ],
  json: {
    file: 'path of the ONNX model or GLB',
    bytes: 'its size',
    checked: "of --gltf: 'geometry', or 'names' where meshes are compressed",
  },
  notes:
    'The ONNX model (operator set 18) takes `points` [n, 3] and `code` [c], float32, and gives `distance` [n] and `gradient` [n, 3]: the frames, units and answers of `pliant query`. Of a character it holds the skeleton too: joints outside the code stand as the file says; for live ones, fingers and all, use the collider itself. Of a body or character with self-contact it takes `codes` [n, c] and gives `distance` [n] and `gradient` [n, c], as `pliant self-distance` does.',
  async run({ args }) {
    const [file] = args.operands
    if (args.has('onnx') === args.has('gltf')) {
      throw new UsageError('export: pass either --onnx OUT, or --gltf OUT.glb with --into CHARACTER.glb.')
    }
    if (args.has('gltf')) return exportGltf(file, args.required('into'), args.required('gltf'))
    if (args.has('into')) throw new UsageError('export: --into goes with --gltf; leave it out.')
    return exportOnnx(file, args.required('onnx'))
  },
}

async function exportOnnx(file: string, out: string): Promise<Report> {
  await checkWritable([out], [file])
  const { bytes } = await readTrained(file)
  const { exportArtifactOnnx } = await import('@pliant/train')
  const model = await exportArtifactOnnx(bytes)
  await writeBeside(out, model)
  return { json: { file: out, bytes: model.length }, text: `${out}: ${formatBytes(model.length)}` }
}
