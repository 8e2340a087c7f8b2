import { describe, expect, it } from 'vitest'
import { fieldSphere } from '../../src/index.js'
import { ModalField } from '../../src/learned/modal.js'
import { NeuralField } from '../../src/learned/neural.js'
import type { Network } from '../../src/net/network.js'
import { exactOf } from '../respond/scenes.js'
import { compareMoved } from './compare-moved.js'
import { body, DOUBLE, mesh, model, moved, swellingBox } from './swelling-box.js'

describe('a field by modes', () => {
  it('answers in the world as the exact surface does, by rigid frame and code (seed 1)', () => {
    const field = new ModalField(model, swellingBox())
    compareMoved(field, exactOf(body), moved(1.2), 1)
    expect(field.code[0]).toBeCloseTo(0.2 * DOUBLE, 9)
  })

  it('answers in the rest frame for a code, wherever the body was before', () => {
    const field = new ModalField(model, swellingBox())
    field.update({ nodes: moved(1.4) })
    field.update({ code: [0.2 * DOUBLE] })
    const expected = swellingBox()
    expected.update({ code: [0.2 * DOUBLE] })
    const points = Float64Array.of(0.1, 0.05, 0.05, 0.3, 0.1, 0, -0.2, 0.2, 0.1)
    const [found, due] = [new Float64Array(3), new Float64Array(3)]
    field.query(points, 3, found)
    expected.query(points, 3, due)
    for (let i = 0; i < 3; i++) expect(found[i]).toBeCloseTo(due[i], 12)
    expect(field.code[0]).toBe(0.2 * DOUBLE)
  })

  it('tells the error of the field that it asks, and trusts none that tells nothing', () => {
    const field = new ModalField(model, swellingBox())
    field.update({ nodes: moved(1.2) })
    expect([field.trusted, field.probeError, field.expectedError]).toEqual([true, 0.01, 0.02])
    field.update({ nodes: moved(1.7) })
    expect([field.trusted, field.probeError, field.expectedError]).toEqual([false, 0.2, 0.3])
    const frame = {
      name: 'box',
      code: { size: 1, lower: [-1], upper: [1] },
      normalisation: { centre: [0, 0, 0] as const, scale: 1, codeOffset: [0], codeScale: [1] },
      domain: { lower: [-9, -9, -9] as const, upper: [9, 9, 9] as const },
      truncation: 0.2,
    }
    const network = { backend: 'scalar', pose: () => {}, dispose: () => {} } as unknown as Network
    const silent = new ModalField(model, new NeuralField(frame, network))
    expect(silent.trusted).toBe(false)
    expect(silent.expectedError).toBeNaN()
  })

  it('refuses codes of another length and positions that are not finite', () => {
    const sphere = { ...swellingBox(), ...fieldSphere([0, 0, 0], 1), codeSize: 2 }
    expect(() => new ModalField(model, sphere)).toThrow(/codes of 2, the body has 1/)
    const broken = mesh.positions.slice()
    broken[5] = Number.NaN
    expect(() => new ModalField(model, swellingBox()).update({ nodes: broken })).toThrow(/finite/)
  })
})
