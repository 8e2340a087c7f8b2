/** A collision detector (formula and tensors: collision-state-shape.ts), ready to be asked: dense networks, one after the other. */
import type { Floats } from '../../math/floats.js'
import type { NetworkOptions } from '../create-network.js'
import { createDenseNetwork, type DenseNetwork } from '../dense/dense-network.js'
import { type DenseShape, denseTensors } from '../dense/dense-shape.js'
import type { GapBackend } from '../gaps/gap-network.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import {
  type CollisionStateShape,
  classifierOf,
  collisionStateTensors,
  encoderOf,
  mostEntries,
  predictorOf,
} from './collision-state-shape.js'

/** Codes that go through all networks together: few enough to stay in the cache. */
const CHUNK = 128

export class CollisionDetector implements GapBackend {
  /** Of each code of a chunk: S_0 and its gradient, */
  readonly #states: Float32Array
  readonly #byStates: Float32Array
  /** what a predictor sees, and the gradient of each by that, */
  readonly #seen: Float32Array
  readonly #bySeen: readonly Float32Array[]
  readonly #depth = new Float32Array(CHUNK)
  /** all S_i, and the gradient of the logit by them, */
  readonly #depths: Float32Array
  readonly #byDepths: Float32Array
  readonly #logits = new Float32Array(CHUNK)
  /** and by the code, through the encoder. */
  readonly #byCodes: Float32Array
  readonly #repeated: Float32Array

  private constructor(
    readonly shape: CollisionStateShape,
    private readonly encoder: DenseNetwork,
    private readonly predictors: readonly DenseNetwork[],
    private readonly classifier: DenseNetwork,
  ) {
    const { state, codeSize, domains } = shape
    const rows = Math.max(CHUNK, domains.length)
    this.#states = new Float32Array(rows * state)
    this.#byStates = new Float32Array(rows * state)
    this.#seen = new Float32Array(CHUNK * (state + mostEntries(shape)))
    this.#bySeen = domains.map(({ length }) => new Float32Array(CHUNK * (state + length)))
    this.#depths = new Float32Array(CHUNK * domains.length)
    this.#byDepths = new Float32Array(CHUNK * domains.length)
    this.#byCodes = new Float32Array(rows * codeSize)
    this.#repeated = new Float32Array(rows * codeSize)
  }

  /**
   * @param tensors  everything that `collisionStateTensors(shape)` lists
   * @throws RangeError if a size is none, a domain names an entry that no code has, or a tensor is missing or has the wrong
   *   length; what the backend throws
   */
  static async create(
    shape: CollisionStateShape,
    tensors: Tensors,
    options: NetworkOptions = {},
  ): Promise<CollisionDetector> {
    const { codeSize, state, domains } = shape
    requireSizes('collision state', [
      ['codeSize', codeSize, 1],
      ['state', state, 1],
      ['domains', domains.length, 1],
    ])
    domains.forEach((entries, i) => {
      const wrong = entries.find((entry) => !(Number.isInteger(entry) && entry >= 0 && entry < codeSize))
      if (wrong === undefined) return
      throw new RangeError(`collision state: domain ${i} has entry ${wrong} of a code of ${codeSize}.`)
    })
    requireTensors('collision state', collisionStateTensors(shape), tensors)
    const single = { ...options, threads: 1 }
    return new CollisionDetector(
      shape,
      await createDenseNetwork(encoderOf(shape), wholeOf(encoderOf(shape), 'encoder', tensors), options),
      await Promise.all(
        domains.map((entries, i) => {
          const dense = predictorOf(shape, entries.length)
          return createDenseNetwork(dense, domainOf(dense, i, domains.length, tensors), single)
        }),
      ),
      await createDenseNetwork(classifierOf(shape), wholeOf(classifierOf(shape), 'classifier', tensors), single),
    )
  }

  get backend(): Backend {
    return this.encoder.backend
  }

  get backendNote(): string | undefined {
    return this.encoder.backendNote
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { codeSize } = this.shape
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first)
      const part = codes.subarray(first * codeSize, (first + rows) * codeSize)
      const byCodes = gradients?.subarray(first * codeSize, (first + rows) * codeSize)
      this.#distances(part, rows, values.subarray(first, first + rows), byCodes)
    }
  }

  /**
   * How deep each domain is in the rest of the shape, S_i, at one code.
   * @param depths     receives one number for each
   * @param gradients  receives their gradients by the code, one after the other
   */
  queryDepths(code: Floats, depths: Floats, gradients?: Floats): void {
    const { codeSize, domains, state } = this.shape
    this.encoder.evaluate(code, 1, this.#states)
    domains.forEach((_, i) => {
      this.#predict(i, code, 1, gradients !== undefined)
      depths[i] = this.#depth[0]
      if (gradients === undefined) return
      // Each domain is a row of its own on the way back through the encoder.
      for (let k = 0; k < state; k++) this.#byStates[i * state + k] = this.#bySeen[i][k]
      for (let k = 0; k < codeSize; k++) this.#repeated[i * codeSize + k] = code[k]
      this.#addOwn(i, 0, 1, gradients.subarray(i * codeSize, (i + 1) * codeSize).fill(0))
    })
    if (gradients === undefined) return
    this.encoder.pullBack(this.#repeated, domains.length, this.#byStates, this.#states, this.#byCodes)
    for (let i = 0; i < domains.length * codeSize; i++) gradients[i] += this.#byCodes[i]
  }

  dispose(): void {
    for (const network of [this.encoder, ...this.predictors, this.classifier]) network.dispose()
  }

  /** @param rows  no more than a chunk */
  #distances(codes: Floats, rows: number, values: Floats, gradients?: Floats): void {
    const { codeSize, domains, state, perLogit } = this.shape
    this.encoder.evaluate(codes, rows, this.#states)
    for (let i = 0; i < domains.length; i++) {
      this.#predict(i, codes, rows, gradients !== undefined)
      for (let row = 0; row < rows; row++) this.#depths[row * domains.length + i] = this.#depth[row]
    }
    if (gradients === undefined) this.classifier.evaluate(this.#depths, rows, this.#logits)
    else this.classifier.pullBack(this.#depths, rows, null, this.#logits, this.#byDepths)
    for (let row = 0; row < rows; row++) values[row] = -perLogit * this.#logits[row]
    if (gradients === undefined) return
    this.#byStates.fill(0, 0, rows * state)
    gradients.fill(0)
    for (let i = 0; i < domains.length; i++) {
      const width = state + domains[i].length
      for (let row = 0; row < rows; row++) {
        const weight = -perLogit * this.#byDepths[row * domains.length + i]
        for (let k = 0; k < state; k++) this.#byStates[row * state + k] += weight * this.#bySeen[i][row * width + k]
        this.#addOwn(i, row, weight, gradients.subarray(row * codeSize, (row + 1) * codeSize))
      }
    }
    this.encoder.pullBack(codes, rows, this.#byStates, this.#states, this.#byCodes)
    for (let i = 0; i < rows * codeSize; i++) gradients[i] += this.#byCodes[i]
  }

  /** One predictor at the states of all rows: into `#depth`, and its gradients into its `#bySeen` if asked for. */
  #predict(domain: number, codes: Floats, rows: number, withGradients: boolean): void {
    const { state, codeSize, domains } = this.shape
    const entries = domains[domain]
    const width = state + entries.length
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < state; k++) this.#seen[row * width + k] = this.#states[row * state + k]
      for (let k = 0; k < entries.length; k++) this.#seen[row * width + state + k] = codes[row * codeSize + entries[k]]
    }
    if (withGradients) this.predictors[domain].pullBack(this.#seen, rows, null, this.#depth, this.#bySeen[domain])
    else this.predictors[domain].evaluate(this.#seen, rows, this.#depth)
  }

  /** What a predictor sees of the code itself, added to the gradient by the code. */
  #addOwn(domain: number, row: number, weight: number, gradient: Floats): void {
    const { state, domains } = this.shape
    const entries = domains[domain]
    const o = row * (state + entries.length) + state
    for (let k = 0; k < entries.length; k++) gradient[entries[k]] += weight * this.#bySeen[domain][o + k]
  }
}

/** Tensors of a part that there is one of, as a dense network has them. */
function wholeOf(dense: DenseShape, name: string, tensors: Tensors): Tensors {
  return new Map([...denseTensors(dense).keys()].map((own) => [own, tensors.get(own.replace('dense', name))!]))
}

/** The same of one domain's predictor: its own rows. */
function domainOf(dense: DenseShape, domain: number, domains: number, tensors: Tensors): Tensors {
  return new Map(
    [...denseTensors(dense)].map(([own, dims]) => {
      const all = tensors.get(own.replace('dense', 'predictor'))!
      const first = domain * (all.length / domains)
      return [own, all.subarray(first, first + dims.reduce((product, n) => product * n, 1))]
    }),
  )
}
