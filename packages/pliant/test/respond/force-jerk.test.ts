import { describe, expect, it } from 'vitest'
import type { MovingField, NodeState } from '../../src/index.js'
import { forceJerk } from '../../src/respond/force-jerk.js'
import { ElasticTouch } from '../../src/respond/index.js'
import { pressPath } from '../../src/respond/press-path.js'
import { FemBody } from '../../src/sim/index.js'
import { ballMesh, exactOf, SLAB_TOP, slab, upperNodes } from './scenes.js'

describe('the jerk of a force', () => {
  it('is none for a force that grows evenly, and the curvature of one that does not', () => {
    const even = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 0.5 * Math.trunc(i / 3) : 2))
    expect(forceJerk(even, 0.01).largest).toBeCloseTo(0, 8)
    const curved = Array.from({ length: 30 }, (_, i) => (i % 3 === 1 ? (0.01 * Math.trunc(i / 3)) ** 2 : 0))
    const { rms, largest } = forceJerk(curved, 0.01)
    expect(rms).toBeCloseTo(2, 9)
    expect(largest).toBeCloseTo(2, 9)
    expect(forceJerk([3, 0, 4, 3, 0, 4, 3, 0, 4], 1).meanForce).toBe(5)
  })

  it('refuses what has none', () => {
    expect(() => forceJerk([1, 2, 3], 0.1)).toThrow(/1 samples/)
    expect(() => forceJerk(new Float64Array(9), 0)).toThrow(/dt is 0/)
    expect(() => forceJerk([0, 0, 0, Number.NaN, 0, 0, 0, 0, 0], 1)).toThrow(/sample 1/)
  })

  it('of a tool that slides is that of the exact field, with a field that is off by 0.1% of the size', () => {
    const [exact, noisy] = [0, 0.001].map((error) => slide(error))
    expect(exact.meanForce).toBeGreaterThan(5)
    // Second differences: a fiftieth of the force between frames would be 700 N/s^2.
    expect(exact.rms).toBeLessThan(25 * exact.meanForce)
    expect(noisy.rms).toBeLessThan(1.3 * exact.rms)
    expect(noisy.largest).toBeLessThan(1.5 * exact.largest)
  })
})

/** Presses a ball by 6 mm and slides it by 6 cm in 1.5 s. @param error of the field, of the body's size */
function slide(error: number) {
  const mesh = ballMesh(0.03, 4, [0.06, SLAB_TOP + 0.04, 0.1])
  const tool = new FemBody(mesh, { gravity: [0, 0, 0], tolerance: 0.01 })
  const body = slab({ tolerance: 0.01 })
  const bodyField = wavy(exactOf(body), error * body.size, (2 * Math.PI) / (0.15 * body.size))
  const touch = new ElasticTouch({ body, tool, bodyField, wrist: upperNodes(mesh, SLAB_TOP + 0.045) })
  const [x, y, z] = touch.handPosition!
  const path = pressPath({
    touch: [x, y - 0.01, z],
    clearance: 0.01,
    depth: 0.006,
    slide: [0.06, 0, 0],
    seconds: [0.3, 0.4, 1.5, 0.3],
  })
  const [position, rotation] = [new Float64Array(3), new Float64Array(4)]
  const forces: number[] = []
  for (let n = 1; n <= 60 * 2.1; n++) {
    path.at(n / 60, position, rotation)
    touch.moveHand(position, rotation)
    touch.step(1 / 60)
    if (n > 48) forces.push(...touch.report.handForce)
  }
  return forceJerk(forces, 1 / 60)
}

/** Adds a product of sines to a field. @param amplitude [m]; @param frequency [rad/m] */
function wavy(field: MovingField<NodeState>, amplitude: number, frequency: number): MovingField<NodeState> {
  return {
    ...field,
    query(points, count, distances, gradients) {
      field.query(points, count, distances, gradients)
      for (let i = 0; i < count; i++) {
        const phases = [0, 1, 2].map((axis) => frequency * points[3 * i + axis] + axis)
        const [sx, sy, sz] = phases.map(Math.sin)
        const [cx, cy, cz] = phases.map(Math.cos)
        distances[i] += amplitude * sx * sy * sz
        if (!gradients) continue
        gradients[3 * i] += amplitude * frequency * cx * sy * sz
        gradients[3 * i + 1] += amplitude * frequency * sx * cy * sz
        gradients[3 * i + 2] += amplitude * frequency * sx * sy * cz
      }
    },
  }
}
