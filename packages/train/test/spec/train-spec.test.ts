import { describe, expect, it } from 'vitest'
import { hashSpec } from '../../src/spec/train-spec.js'
import { readSpec } from '../../src/train/subjects.js'

describe('a spec', () => {
  it('of a preset is filled in', () => {
    const spec = readSpec('bar')
    expect(spec.name).toBe('bar')
    expect(spec.method).toBe('pliant')
    expect(spec.mix.surface + spec.mix.near + spec.mix.uniform).toBeCloseTo(1, 12)
  })

  it("of the paper takes the paper's numbers", () => {
    const spec = readSpec('{ "model": "bar", "method": "paper" }')
    expect(spec.learningRate).toBe(1e-4)
    expect(spec.mix).toEqual({ surface: 0.4, near: 0.4, uniform: 0.2 })
  })

  it.each([
    ['bra', "no preset is called 'bra'; take one of: bar"],
    ['{ "model": ', 'not JSON'],
    ['{}', 'model'],
    ['{ "model": { "mash": "x.obj" } }', 'a mesh file, { mesh, modes,'],
    ['{ "model": 3 }', "a preset's name"],
    ['{ "model": "bar", "steps": -1 }', 'steps'],
    ['{ "model": "bar", "stepz": 1 }', 'stepz'],
    ['{ "model": "bar", "mix": { "surface": 0, "near": 0, "uniform": 0 } }', 'mix is all zero'],
    ['{ "model": "bar", "network": { "hidden": [] } }', 'network.hidden'],
    ['[1]', 'spec'],
  ])('%s is refused in one line', (text, fragment) => {
    let message = ''
    try {
      readSpec(text)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/^spec: [^\n]*\.$/)
    expect(message).toContain(fragment)
  })

  it('refuses a seed that is not a whole number', () => {
    expect(() => readSpec('bar', { seed: 1.5 })).toThrow('spec: seed')
  })

  it('has a hash that sees numbers and object but neither key order nor seed', () => {
    const a = readSpec('{ "model": "bar", "steps": 10, "poses": 5 }')
    const b = readSpec('{ "poses": 5, "steps": 10, "model": "bar", "seed": 9 }')
    const c = readSpec('{ "model": "bar", "steps": 11, "poses": 5 }')
    const object = Uint8Array.of(1, 2, 3)
    expect(hashSpec(a, object)).toBe(hashSpec(b, object))
    expect(hashSpec(a, object)).not.toBe(hashSpec(c, object))
    expect(hashSpec(a, object)).not.toBe(hashSpec(a, Uint8Array.of(1, 2, 4)))
  })
})
