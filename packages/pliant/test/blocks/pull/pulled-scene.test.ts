/** A small ring on a table, pulled. */
import { describe, expect, it } from 'vitest'
import { PulledScene, PullScript } from '../../../src/blocks/index.js'
import { exactSelfContact } from '../../../src/exact/index.js'
import { load, randomStream } from '../../../src/index.js'
import { selfContactExample } from '../../artifact/self-contact-example.js'

const artifact = selfContactExample('plane')
const FRAME = 1 / 60

function lowest(scene: PulledScene): number {
  const positions = new Float64Array(scene.body.rest.length)
  scene.body.positions(positions)
  let least = Infinity
  for (let i = 1; i < positions.length; i += 3) least = Math.min(least, positions[i])
  return least
}

describe('a pulled body', () => {
  it('falls onto the table and stays there', () => {
    const scene = new PulledScene(artifact)
    expect(lowest(scene)).toBeGreaterThan(0.05 * scene.size)
    for (let frame = 0; frame < 180; frame++) scene.step(FRAME)
    expect(Math.abs(lowest(scene))).toBeLessThan(0.01 * scene.size)
    scene.reset()
    expect(lowest(scene)).toBeGreaterThan(0.05 * scene.size)
    expect([...scene.body.code]).toEqual([0, 0, 0])
  })

  it('goes the same way to the last bit after a reset', async () => {
    const field = await load(artifact)
    const scene = new PulledScene(artifact, { field, exact: exactSelfContact(artifact.model) })
    const run = (): number[] => {
      const pull = scene.pull(0)
      pull.target[0] += 0.3 * scene.size
      for (let frame = 0; frame < 90; frame++) scene.step(FRAME)
      // What must not be remembered: impulses of the pull, and of contacts.
      expect(scene.world.report.rows).toBeGreaterThan(3)
      scene.release(pull)
      const { position, orientation, velocity, angularMomentum, code, codeVelocity } = scene.body
      return [position, orientation, velocity, angularMomentum, code, codeVelocity].flatMap((part) => [...part])
    }
    const first = run()
    scene.reset()
    expect(run()).toEqual(first)
    field.dispose()
  })

  it('follows a pull, and comes to rest when it is let go', () => {
    const scene = new PulledScene(artifact)
    const pull = scene.pull(0)
    const from = pull.target[1]
    pull.target[1] += scene.size
    for (let frame = 0; frame < 120; frame++) scene.step(FRAME)
    const held = new Float64Array(3)
    scene.body.vertex(0, held)
    expect(held[1]).toBeGreaterThan(from + 0.5 * scene.size)
    scene.release(pull)
    for (let frame = 0; frame < 240; frame++) scene.step(FRAME)
    expect(lowest(scene)).toBeLessThan(0.02 * scene.size)
  })

  it('passes through itself with nothing to keep it apart, and not with a field or an exact test (seed 6)', async () => {
    const field = await load(artifact)
    const exact = exactSelfContact(artifact.model)
    const touching = (options: ConstructorParameters<typeof PulledScene>[1]): number => {
      const scene = new PulledScene(artifact, options)
      const script = new PullScript(scene, randomStream(6), { reach: 1.5 })
      let frames = 0
      for (let frame = 0; frame < 300; frame++) {
        script.advance(FRAME)
        scene.step(FRAME)
        if (exact.touches(scene.body.code)) frames++
      }
      return frames
    }
    const alone = touching({})
    expect(alone).toBeGreaterThan(10)
    // The field is a plane, which is nearly the boundary.
    expect(touching({ field })).toBeLessThan(alone / 2)
    expect(touching({ field, exact })).toBe(0)
    field.dispose()
  })
})
