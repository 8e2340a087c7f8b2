/** Two soft bodies squeezed together: how deep they get into each other by their triangles. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SqueezeDepth } from '../../../src/blocks/squeeze/squeeze-depth.js'
import { type SqueezeFields, SqueezeScene } from '../../../src/blocks/squeeze/squeeze-scene.js'
import { type SqueezeScript, type SqueezeSubject, squeezeScript } from '../../../src/blocks/squeeze/squeeze-script.js'
import { exactNodes } from '../../../src/blocks/touch/touch-scene.js'
import { decode, type ElasticField, load } from '../../../src/index.js'
import type { TouchOptions } from '../../../src/respond/index.js'
import { FemBody } from '../../../src/sim/index.js'
import { ballMesh, boxMesh } from '../../respond/scenes.js'

const FRAME = 1 / 60
const material = { density: 1000, young: 2e5, poisson: 0.45, massDamping: 0, stiffnessDamping: 0.02 }
const ball: SqueezeSubject = { mesh: ballMesh(0.1, 4, [0, 0, 0]), material }
const files = ['bunny', 'hand'].map(
  (name) => new URL(`../../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url),
)

/** Deepest place in the triangles in any sixth frame, as a share of the size. */
function deepestOf(script: SqueezeScript, fields?: SqueezeFields, options?: TouchOptions): number {
  const scene = new SqueezeScene(script, fields, options)
  const depth = new SqueezeDepth(scene.lower, scene.upper)
  let deepest = 0
  for (let frame = 0; frame < Math.round(script.seconds / FRAME); frame++) {
    scene.step(FRAME)
    if (frame % 6 === 0) deepest = Math.max(deepest, depth.look().surface / script.size)
  }
  return deepest
}

it.skipIf(!files.every((file) => existsSync(file)))(
  'a learned hand on a learned bunny stays within 2% of the size, pressed by 20% of it',
  async () => {
    const artifacts = await Promise.all(files.map((file) => decode(readFileSync(file), 'elastic-body')))
    const [lower, upper] = artifacts.map(({ body, manifest }) => ({
      mesh: body.mesh,
      material: manifest.model.material,
    }))
    const fields = (await Promise.all(artifacts.map((artifact) => load(artifact)))) as ElasticField[]
    const script = squeezeScript(lower, upper, { seed: 2, seconds: 3 })
    expect(deepestOf(script)).toBeGreaterThan(0.05)
    const learned: SqueezeFields = { lower: () => fields[0], upper: () => fields[1] }
    const deepest = deepestOf(script, learned, { contact: 'surface' })
    for (const field of fields) field.dispose()
    expect(deepest).toBeGreaterThan(0)
    expect(deepest).toBeLessThan(0.02)
  },
)

describe('the script', () => {
  const script = squeezeScript(ball, { ...ball, mesh: boxMesh([0.2, 0.1, 0.1], [4, 2, 2], [0, 0, 0]) }, { seed: 3 })
  const places = (time: number): Float64Array => {
    const out = new Float64Array(3 * script.upper.held.length)
    script.heldAt(time, out)
    return out
  }

  it('begins with bodies that hardly touch', () => {
    const scene = new SqueezeScene(script, { lower: exactNodes, upper: exactNodes })
    expect(new SqueezeDepth(scene.lower, scene.upper).look().surface).toBeLessThan(1e-3 * script.size)
    for (let i = 0; i < 60; i++) scene.step(FRAME)
    expect(scene.touch?.report.contacts).toBeGreaterThan(0)
  })

  it('goes where its options say, without a jerk', () => {
    const [first, pressed, slid, last] = [0, 2.2, 4.2, script.released].map(places)
    const size = Math.hypot(0.2, 0.2, 0.2)
    expect(script.size).toBeCloseTo(size, 1)
    expect(first[1] - pressed[1]).toBeCloseTo(0.2 * script.size, 9)
    expect(Math.hypot(slid[0] - pressed[0], slid[2] - pressed[2])).toBeCloseTo(0.15 * script.size, 9)
    const turned = (a: Float64Array): number => Math.atan2(a[3] - a[0], a[5] - a[2])
    expect(Math.cos(turned(last) - turned(slid))).toBeCloseTo(0, 9)
    for (let t = FRAME; t < script.released; t += FRAME) {
      const [before, after] = [places(t - FRAME), places(t)]
      expect(Math.max(...after.map((value, i) => Math.abs(value - before[i])))).toBeLessThan(0.01 * script.size)
    }
  })

  it('turns bodies as the seed says', () => {
    const again = squeezeScript(ball, { ...ball, mesh: boxMesh([0.2, 0.1, 0.1], [4, 2, 2], [0, 0, 0]) }, { seed: 3 })
    expect(again.upper.start).toEqual(script.upper.start)
    const other = squeezeScript(ball, ball, { seed: 4 })
    expect(other.lower.start).not.toEqual(script.lower.start)
  })

  it('lets the upper body go', () => {
    const scene = new SqueezeScene(script, { lower: exactNodes, upper: exactNodes })
    scene.time = script.released - 1.5 * FRAME
    scene.step(FRAME)
    expect(scene.upper.hasPins).toBe(true)
    scene.step(FRAME)
    expect(scene.upper.hasPins).toBe(false)
  })
})

it('tells depth between vertices, where edges cross', () => {
  const turn = (mesh: ReturnType<typeof boxMesh>, across: number): typeof mesh => {
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const [u, v] = [mesh.positions[i + across], mesh.positions[i + 1]]
      mesh.positions[i + across] = Math.SQRT1_2 * (u - v)
      mesh.positions[i + 1] = Math.SQRT1_2 * (u + v)
    }
    return mesh
  }
  const lower = new FemBody(turn(boxMesh([0.2, 0.04, 0.04], [1, 1, 1], [-0.1, -0.02, -0.02]), 2))
  const upper = new FemBody(turn(boxMesh([0.04, 0.04, 0.2], [1, 1, 1], [-0.02, -0.02, -0.1]), 0))
  const reach = 0.02 * Math.SQRT2
  for (let i = 1; i < upper.positions.length; i += 3) upper.positions[i] += 2 * reach - 0.002
  const { vertices, surface } = new SqueezeDepth(lower, upper).look()
  expect(vertices).toBe(0)
  // Of the 2 mm from edge to edge, the way out of a face that slopes by an eighth of a turn.
  expect(surface).toBeCloseTo(0.002 * Math.SQRT1_2, 5)
})
