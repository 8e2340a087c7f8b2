/** The detector that is learned is the one that answers at run time. */
import { CollisionDetector } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { randomStateTensors, SMALL_STATE } from '../../../../pliant/test/net/collision-state/random-collision-state.js'
import { compileFunction, input } from '../../../src/graph/index.js'
import {
  collisionDistanceGraph,
  collisionStateGraph,
} from '../../../src/learn/collision-state/collision-state-graph.js'
import { ContactNetwork } from '../../../src/learn/self-contact/contact-network.js'

const COUNT = 40
const { codeSize } = SMALL_STATE
const codes = Float32Array.from({ length: COUNT * codeSize }, (_, i) => Math.sin(1.7 * i * i))

describe.each([
  ['domains of several sizes', SMALL_STATE],
  ['domains with nothing of their own', { ...SMALL_STATE, domains: [[], []] }],
])('the graph of a collision detector, %s', (_, shape) => {
  const tensors = randomStateTensors(shape, 9)

  it('answers distances and gradients as the network at run time does', async () => {
    const detector = await CollisionDetector.create(shape, tensors)
    const [values, gradients] = [new Float64Array(COUNT), new Float64Array(COUNT * codeSize)]
    detector.query(codes, COUNT, values, gradients)
    const network = await ContactNetwork.create(collisionDistanceGraph(shape), 1)
    const learned = await network.gradientsAt(tensors, codes)
    values.forEach((value, i) => {
      expect(learned.values[i]).toBeCloseTo(value, 5)
    })
    gradients.forEach((value, i) => {
      expect(learned.gradients[i]).toBeCloseTo(value, 5)
    })
    await network.dispose()
  })

  it('answers depths of domains as the network at run time does', async () => {
    const detector = await CollisionDetector.create(shape, tensors)
    const inputs = [...tensors].map(([name, values]) => ({ name, values }))
    const named = new Map(inputs.map(({ name }) => [name, input(name, dimsOf(name))]))
    const rows = input('codes', ['n', codeSize])
    const { depths } = collisionStateGraph(shape, (name) => named.get(name)!, rows, 'n')
    const compiled = await compileFunction({ inputs: [rows, ...named.values()], outputs: { depths } })
    const found = (await compiled.run({ codes, ...Object.fromEntries(tensors) })).depths
    const due = new Float64Array(shape.domains.length)
    for (let i = 0; i < COUNT; i++) {
      detector.queryDepths(codes.subarray(i * codeSize, (i + 1) * codeSize), due)
      due.forEach((depth, domain) => {
        expect(found[i * due.length + domain]).toBeCloseTo(depth, 5)
      })
    }
    await compiled.dispose()
  })

  const dimsOf = (name: string): number[] => collisionDistanceGraph(shape).tensors.get(name)! as number[]
})
