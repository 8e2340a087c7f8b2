/** `pliant export`: an artifact for other engines. */
import { readArtifact } from '../artifact-file.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatBytes } from '../format.js'
import type { Verb } from '../verb.js'

export const exportVerb: Verb = {
  name: 'export',
  summary: 'writes an artifact as a plain ONNX model with distance and gradient as outputs',
  operands: [{ name: 'FILE', help: 'a trained artifact' }],
  options: { onnx: { value: 'OUT', help: 'where the ONNX model goes', required: true } },
  examples: ['pliant export bar.safetensors --onnx bar.onnx'],
  json: { file: 'path of the ONNX model', bytes: 'its size' },
  async run({ args }) {
    const [file] = args.operands
    const out = args.required('onnx')
    await checkWritable([out], [file])
    const { bytes } = await readArtifact(file)
    const { exportArtifactOnnx } = await import('@pliant/train')
    const model = exportArtifactOnnx(bytes)
    await writeBeside(out, model)
    return { json: { file: out, bytes: model.length }, text: `${out}: ${formatBytes(model.length)}` }
  },
}
