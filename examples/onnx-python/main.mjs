/**
 * Exports a trained object as ONNX and asks it outside of Pliant: `node examples/onnx-python/main.mjs [FILE.safetensors]
 * [OUT.onnx]`. By onnxruntime in this process, and by distances.py where there is a Python that has it; both must answer
 * what the runtime does.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportArtifactOnnx } from '@pliant/train'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { load } from 'pliant'

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const [file = pathOf('../../apps/studio/public/artifacts/bar.safetensors'), out = pathOf('../../out/bar.onnx')] =
  process.argv.slice(2)
const CODE = Float32Array.of(0.5, -0.2, 0.8)
const POINTS = Float32Array.of(0.1, 0.06, 0, 0.3, 0.05, 0.02)

const bytes = new Uint8Array(await readFile(file))
await mkdir(dirname(out), { recursive: true })
await writeFile(out, await exportArtifactOnnx(bytes)) // as `pliant export bar.safetensors --onnx bar.onnx`

print('pliant', await byRuntime())
print('onnxruntime-node', await byOnnx())
const python = byPython()
if (python) print('python', python)
else console.log('python: there is none that has numpy and onnxruntime; pip install numpy onnxruntime')

async function byRuntime() {
  const field = await load(bytes)
  const [distances, gradients] = [new Float32Array(2), new Float32Array(6)]
  field.update({ code: CODE })
  field.query(POINTS, 2, distances, gradients)
  field.dispose()
  return [...distances]
}

async function byOnnx() {
  const session = await InferenceSession.create(out)
  const feeds = { points: new Tensor('float32', POINTS, [2, 3]), code: new Tensor('float32', CODE, [3]) }
  const { distance } = await session.run(feeds)
  return [...distance.data]
}

/** @returns undefined where distances.py cannot run */
function byPython() {
  const { status, stdout } = spawnSync('python3', [pathOf('distances.py'), out], { encoding: 'utf8' })
  return status === 0 ? [...stdout.matchAll(/distance (\S+)/g)].map(([, distance]) => Number(distance)) : undefined
}

function print(engine, distances) {
  console.log(`${engine}: ${distances.map((distance) => distance.toFixed(6)).join(' ')}`)
}
