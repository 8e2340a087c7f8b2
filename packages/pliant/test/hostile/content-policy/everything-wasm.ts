/** All that would run on WebAssembly, made and asked once: in Node, in a page and in a worker, whatever they forbid. */
import { decode } from '../../../src/artifact/artifact.js'
import { load } from '../../../src/artifact/load.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import type { TrainedField } from '../../../src/learned/trained-field.js'
import type { NetworkOptions } from '../../../src/net/create-network.js'
import { createDenseNetwork } from '../../../src/net/dense/dense-network.js'
import { FemBody } from '../../../src/sim/fem/fem-body.js'
import { loadCollider } from '../../../src/three/load-collider.js'

/** What came of one of them: plain data, so that it can leave a page. */
export interface Outcome {
  backend?: string
  note?: string
  threads?: number
  values?: number[]
  error?: string
}

/** @param read  gives the bytes of a committed artifact by its file's name */
export async function runEverything(
  read: (name: string) => Promise<Uint8Array>,
  options: NetworkOptions,
): Promise<Record<string, Outcome>> {
  const bar = await read('bar.safetensors')
  const bunny = await read('bunny.safetensors')
  const humanoid = await read('humanoid.safetensors')
  return {
    bar: await outcome(async () => asked(await load(bar, options))),
    'soft body': await outcome(async () => asked(await load(bunny, options))),
    character: await outcome(async () => asked(await load(humanoid, options))),
    collider: await outcome(async () => {
      const collider = await loadCollider(humanoid, options)
      return asked(Object.assign(collider.createField(), { network: collider.network }))
    }),
    dense: await outcome(() => runDense(options)),
    fem: await outcome(async () => runFem(bunny, options.backend)),
  }
}

async function outcome(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    return { error: String(error) }
  }
}

/** Along a line through each object: near, inside and outside of it. */
const COUNT = 1000
const POINTS = Float32Array.from({ length: 3 * COUNT }, (_, i) => [0.02, 0.03 + i / 3e4, 0.01][i % 3])

function asked(field: SignedField & Pick<TrainedField, 'network'>): Outcome {
  const distances = new Float64Array(COUNT)
  const gradients = new Float64Array(3 * COUNT)
  field.query(POINTS, COUNT, distances, gradients)
  const { backend, backendNote, threads } = field.network as TrainedField['network'] & { threads?: number }
  return { backend, note: backendNote, threads, values: [...distances, ...gradients] }
}

async function runDense(options: NetworkOptions): Promise<Outcome> {
  const shape = { inputs: 2, outputs: 1, hidden: [2], activation: 'relu', output: 'linear' } as const
  const tensors = new Map([
    ['dense.0.weight', Float32Array.of(1, 2, 3, 4)],
    ['dense.0.bias', Float32Array.of(5, 6)],
    ['dense.1.weight', Float32Array.of(7, 8)],
    ['dense.1.bias', Float32Array.of(9)],
  ])
  const network = await createDenseNetwork({ ...shape, hidden: [...shape.hidden] }, tensors, options)
  const values = new Float64Array(1)
  network.evaluate(Float64Array.of(1, 2), 1, values)
  return { backend: network.backend, note: network.backendNote, values: [...values] }
}

async function runFem(bytes: Uint8Array, backend: NetworkOptions['backend']): Promise<Outcome> {
  const kernel = backend === 'auto' || backend === 'simd' ? backend : 'plain'
  const body = new FemBody((await decode(bytes, 'elastic-body')).body.mesh, { kernel, material: { poisson: 0.3 } })
  body.step(1 / 60)
  return { backend: body.kernel, note: body.warnings[0], values: [...body.positions.subarray(0, 30)] }
}
