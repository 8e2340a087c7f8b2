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

  it("of a character takes a character's numbers, whether by its file or as a preset", () => {
    for (const text of ['humanoid', '{ "model": { "rig": "hero.glb", "heldOut": ["dance"] } }']) {
      const { poses, steps, evaluation } = readSpec(text)
      expect([poses, steps, evaluation.poses]).toEqual([1500, 7000, 60])
    }
    expect(readSpec('{ "model": { "rig": "rigs/hero.glb" } }', { method: 'paper' })).toMatchObject({
      name: 'hero',
      poses: 400,
      pointsPerPose: 10_000,
    })
  })

  it('of shapes of one mesh means self-contact without a word, of a rig distances', () => {
    for (const text of [
      '{ "model": { "meshes": "poses/*.obj" } }',
      '{ "model": "poses/*.obj" }',
      '{ "model": "fall.anime" }',
    ]) {
      const spec = readSpec(text)
      expect([spec.poses, spec.steps, spec.evaluation.poses]).toEqual([40_000, 10_000, 20_000])
      expect(readSpec(JSON.stringify({ ...JSON.parse(text), learn: 'self-contact' })).poses).toBe(40_000)
    }
    expect(readSpec('{ "model": { "meshes": "poses/*.obj" } }', { method: 'paper' }).steps).toBe(20_000)
    expect(readSpec('{ "model": { "rig": "x.glb" } }').poses).toBe(1500)
    expect(readSpec('{ "model": { "rig": "x.glb" }, "learn": "self-contact" }').poses).toBe(24_000)
  })

  it.each([
    [
      '{ "model": { "meshes": "x/*.obj" }, "truncation": 0.2 }',
      'truncation does not go with model.meshes; it takes name,',
    ],
    [
      '{ "model": { "meshes": "x/*.obj" }, "network": { "gaps": 8 } }',
      'self-contact of shapes takes hidden, activation',
    ],
    ['{ "model": { "meshes": "x/*.obj", "shapes": 3 } }', 'model.shapes: should be a whole number from 4 to 100000;'],
    ['{ "model": { "rig": "x.glb" }, "truncation": 0.2 }', 'truncation does not go with model.rig; it takes name,'],
    ['{ "model": { "rig": "x.glb" }, "network": { "hidden": [8] } }', 'network.hidden does not go with this object'],
    ['{ "model": { "rig": "x.glb", "mesh": "x.obj" } }', '{ rig, motion, heldOut,'],
    ['{ "model": { "body": "x.msh" }, "network": { "hidden": [8] } }', 'an elastic body takes parts and resolution'],
    ['{ "model": "x.obj", "network": { "parts": 8 } }', 'only an elastic body is cut into parts'],
    ['bra', "no preset is called 'bra'; take one of: bar"],
    ['{ "model": ', 'not JSON'],
    ['{}', 'model'],
    ['{ "model": { "mash": "x.obj" } }', 'a mesh file, { mesh, modes,'],
    ['{ "model": 3 }', "a preset's name"],
    ['{ "model": { "body": "x.msh", "modes": 0 } }', 'model.modes: should be a whole number from 1 to 1024;'],
    [
      '{ "model": { "body": "x.msh", "modes": 65 }, "learn": "self-contact" }',
      'model.modes: should be a whole number from 1 to 64;',
    ],
    ['{ "model": { "body": "x.msh", "basis": "poses" }, "learn": "self-contact" }', 'Unrecognized key: "basis"'],
    [
      '{ "model": { "mesh": "x.obj" }, "learn": "self-contact" }',
      'self-contact is learned of a body: a tetrahedral mesh, a closed surface, or one of bunny,',
    ],
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
