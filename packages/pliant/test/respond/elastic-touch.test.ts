import { describe, expect, it } from 'vitest'
import { ElasticTouch } from '../../src/respond/index.js'
import { femMomentum } from '../../src/sim/fem/fem-energy.js'
import { FemBody } from '../../src/sim/index.js'
import { bar } from '../sim/fem/bars.js'
import { ballMesh, boxMesh, exactOf, meanPosition, SLAB_TOP, slab, touchExactly, upperNodes } from './scenes.js'

const FLOATING = { gravity: [0, 0, 0], tolerance: 0.01 } as const

describe('a closed pair', () => {
  const collide = (substep: number): { before: number[]; after: number[]; touched: boolean } => {
    const body = new FemBody(bar([0.15, SLAB_TOP, 0.15], [4, 2, 4]), { ...FLOATING, material: { young: 3e4 } })
    const tool = new FemBody(ballMesh(0.03, 3, [0.07, 0.095, 0.08]), FLOATING)
    for (let i = 0; i < tool.velocities.length; i += 3) tool.velocities.set([0.3, -1, 0.1], i)
    const touch = touchExactly(body, tool, { substep })
    const momentum = (): number[] => {
      const [a, b] = [femMomentum(body), femMomentum(tool)]
      return [...a.linear.map((p, i) => p + b.linear[i]), ...a.angular.map((p, i) => p + b.angular[i])]
    }
    const before = momentum()
    let touched = false
    for (let n = 0; n < 12; n++) {
      touch.step(1 / 60)
      touched ||= touch.report.contacts > 3
    }
    return { before, after: momentum(), touched }
  }

  it('keeps its linear momentum through a collision', () => {
    const { before, after, touched } = collide(1 / 60)
    expect(touched).toBe(true)
    const size = Math.hypot(...before.slice(0, 3))
    for (let axis = 0; axis < 3; axis++) expect(Math.abs(after[axis] - before[axis])).toBeLessThan(1e-12 * size)
  })

  // 15% off before, in the largest component.
  it.each([1 / 60, 1 / 120])('keeps its angular momentum through a collision to 1%, in steps of %d s', (substep) => {
    const { before, after, touched } = collide(substep)
    expect(touched).toBe(true)
    const size = Math.hypot(...before.slice(3))
    for (let axis = 3; axis < 6; axis++) expect(Math.abs(after[axis] - before[axis])).toBeLessThan(0.01 * size)
  })
})

describe('action and reaction', () => {
  it('are equal and opposite in all that both bodies are given', () => {
    const body = slab(FLOATING)
    const tool = new FemBody(ballMesh(0.03, 3, [0.1, SLAB_TOP + 0.029, 0.1]), FLOATING)
    const touch = touchExactly(body, tool)
    touch.step(1e-6)
    const sums = [body, tool].map(({ forces }) => [0, 1, 2].map((axis) => sumOf(forces, axis)))
    expect(sums[1][1]).toBeGreaterThan(0.01)
    for (let axis = 0; axis < 3; axis++) expect(sums[0][axis] + sums[1][axis]).toBeCloseTo(0, 10)
    expect(touch.report.force[1] / sums[1][1]).toBeCloseTo(1, 1)
  })

  it('act on the vertex and on the corners of its nearest triangle', () => {
    const body = slab(FLOATING)
    const mesh = boxMesh([0.02, 0.02, 0.02], [1, 1, 1], [0.09, SLAB_TOP - 0.0005, 0.095])
    const tool = new FemBody(mesh, FLOATING)
    const touch = new ElasticTouch({ body, tool, bodyField: exactOf(body) })
    touch.step(1e-6)
    const { touching, deepest } = touch.report
    const { count: toolContacts, featuresA: triangleIds, featuresB: vertices } = touching
    expect(toolContacts).toBe(4)
    expect(deepest).toBeCloseTo(0.0005, 9)
    const { triangles, nodeOfVertex } = body.surface
    const loaded = new Set<number>()
    for (let c = 0; c < toolContacts; c++) {
      const corners = [0, 1, 2].map((k) => nodeOfVertex[triangles[3 * triangleIds[c] + k]])
      const place = tool.positions.subarray(3 * tool.surface.nodeOfVertex[vertices[c]])
      for (const axis of [0, 2]) {
        const along = corners.map((node) => body.positions[3 * node + axis])
        expect(place[axis]).toBeGreaterThanOrEqual(Math.min(...along) - 1e-6)
        expect(place[axis]).toBeLessThanOrEqual(Math.max(...along) + 1e-6)
      }
      for (const node of corners) loaded.add(node)
    }
    for (let node = 0; node < body.nodeCount; node++) {
      const force = body.forces[3 * node + 1]
      expect(force).toBeLessThanOrEqual(0)
      if (!loaded.has(node)) expect(force).toBe(0)
    }
  })
})

describe('rest', () => {
  it('bears a tool that lies on a body by its weight', () => {
    const tool = new FemBody(ballMesh(0.03, 3, [0.1, 0.095, 0.1]), { tolerance: 0.01 })
    const touch = touchExactly(slab({ tolerance: 0.01 }), tool)
    for (let n = 0; n < 180; n++) touch.step(1 / 60)
    expect(touch.report.force[1] / (9.81 * tool.totalMass)).toBeCloseTo(1, 2)
    expect(Math.max(...tool.velocities.map(Math.abs))).toBeLessThan(5e-3)
    expect(touch.report.handForce).toEqual(new Float64Array(3))
  })

  it('bears a tool that a hand presses down by weight and hand together', () => {
    const mesh = ballMesh(0.03, 3, [0.1, 0.095, 0.1])
    const tool = new FemBody(mesh, { tolerance: 0.01 })
    const touch = touchExactly(slab({ tolerance: 0.01 }), tool, { wrist: upperNodes(mesh, 0.1) })
    const [x, y, z] = touch.handPosition!
    for (let n = 0; n < 150; n++) {
      touch.moveHand([x, y - 0.015 * Math.min(1, n / 40), z], [0, 0, 0, 1])
      touch.step(1 / 60)
    }
    const { force, handForce } = touch.report
    expect(handForce[1]).toBeGreaterThan(5)
    expect((force[1] - handForce[1]) / (9.81 * tool.totalMass)).toBeCloseTo(1, 1)
    expect(Math.max(...tool.velocities.map(Math.abs))).toBeLessThan(5e-3)
  })

  it('is kept from the hand beyond its limit: the tool stays outside however far the hand goes', () => {
    const mesh = ballMesh(0.03, 3, [0.1, 0.095, 0.1])
    const tool = new FemBody(mesh, FLOATING)
    const body = slab({ tolerance: 0.01 })
    const touch = touchExactly(body, tool, { wrist: upperNodes(mesh, 0.1), handForce: 12 })
    const [x, y, z] = touch.handPosition!
    for (let n = 0; n < 90; n++) {
      touch.moveHand([x, y - 0.01 * n, z], [0, 0, 0, 1])
      touch.step(1 / 60)
      expect(Math.hypot(...touch.report.handForce)).toBeLessThan(1.05 * 12)
    }
    expect(touch.report.handForce[1]).toBeGreaterThan(0.9 * 12)
    expect(touch.report.deepest).toBeLessThan(0.02 * body.size)
    expect(meanPosition(tool)[1]).toBeGreaterThan(SLAB_TOP)
  })
})

describe('two beams whose edges cross far from all vertices', () => {
  const material = { young: 1e6 }
  /** Along an axis, an eighth of a turn about it, so that edges lie on top and at the bottom. */
  const beam = (axis: 0 | 2, height: number): FemBody => {
    const mesh = boxMesh(axis === 0 ? [0.2, 0.04, 0.04] : [0.04, 0.04, 0.2], [1, 1, 1], [0, 0, 0])
    const across = 2 - axis
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const [u, v] = [mesh.positions[i + across] - 0.02, mesh.positions[i + 1] - 0.02]
      mesh.positions[i + across] = Math.SQRT1_2 * (u - v)
      mesh.positions[i + 1] = height + Math.SQRT1_2 * (u + v)
      mesh.positions[i + axis] -= 0.1
    }
    return new FemBody(mesh, { material })
  }
  /** Height of the upper one's middle after a fall [m]. */
  const heightAfterFall = (contact: 'points' | 'surface'): number => {
    const [body, tool] = [beam(0, 0), beam(2, 0.06)]
    body.pin(Array.from(body.masses.keys()))
    const touch = touchExactly(body, tool, { contact, friction: 1 })
    for (let n = 0; n < 30; n++) touch.step(1 / 60)
    return meanPosition(tool)[1]
  }

  it('push each other with equal forces', () => {
    const [body, tool] = [beam(0, 0), beam(2, 0.056)]
    // By one field alone: what both bodies' places are given wrongly may cancel out.
    const touch = new ElasticTouch({ body, tool, bodyField: exactOf(body) }, { contact: 'surface' })
    touch.step(1e-6)
    const sums = [body, tool].map(({ forces }) => [0, 1, 2].map((axis) => sumOf(forces, axis)))
    expect(sums[1][1]).toBeGreaterThan(0.01)
    for (let axis = 0; axis < 3; axis++) expect(sums[0][axis] + sums[1][axis]).toBeCloseTo(0, 9)
    expect([body.isTouched, tool.isTouched]).toEqual([true, true])
    for (let i = 1; i < tool.positions.length; i += 3) tool.positions[i] += 0.1
    touch.step(1e-6)
    expect([body.isTouched, tool.isTouched]).toEqual([false, false])
  })

  it('meet with contact all over the surface, and go through each other with points alone', () => {
    expect(heightAfterFall('surface')).toBeGreaterThan(0.05)
    expect(heightAfterFall('points')).toBeLessThan(-0.1)
  })

  it('is refused by any other name', () => {
    expect(() =>
      touchExactly(slab(), new FemBody(ballMesh(0.03, 2, [0, 1, 0])), { contact: 'edges' as never }),
    ).toThrow("contact is 'edges'; give 'points' or 'surface'")
  })
})

describe('friction', () => {
  /** Speeds [m/s] down a slope after 10 and 30 frames. */
  const speedsOnSlope = (slope: number, substep = 1 / 60): number[] => {
    const angle = Math.atan(slope)
    const tool = new FemBody(boxMesh([0.04, 0.02, 0.04], [2, 1, 2], [0.02, SLAB_TOP + 0.0027, 0.08]), {
      gravity: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0],
      tolerance: 0.01,
    })
    const body = slab(FLOATING)
    const touch = new ElasticTouch(
      { body, tool, bodyField: exactOf(body) },
      { friction: 0.4, slipSpeed: 1e-3, substep },
    )
    return [10, 20].map((frames) => {
      for (let n = 0; n < frames; n++) touch.step(1 / 60)
      return femMomentum(tool).linear[0] / tool.totalMass
    })
  }

  it('holds a tool on a slope below its angle but for a creep slower than the slip speed', () => {
    for (const speed of speedsOnSlope(0.3)) expect(Math.abs(speed)).toBeLessThan(1e-3)
  })

  it('lets it slide above, faster by what is left of gravity', () => {
    const [early, late] = speedsOnSlope(0.6, 1 / 240)
    const angle = Math.atan(0.6)
    const expected = 9.81 * (Math.sin(angle) - 0.4 * Math.cos(angle)) * (20 / 60)
    expect((late - early) / expected).toBeGreaterThan(0.9)
    expect((late - early) / expected).toBeLessThan(1.15)
  })
})

describe('what cannot be', () => {
  it('is refused by name', () => {
    const [body, tool] = [slab(FLOATING), new FemBody(ballMesh(0.03, 2, [0.1, 0.1, 0.1]), FLOATING)]
    const touch = touchExactly(body, tool, { wrist: [0, 1, 2] })
    expect(() => touch.step(Number.NaN)).toThrow(/lasts NaN/)
    expect(() => touch.moveHand([0, Number.NaN, 0], [0, 0, 0, 1])).toThrow(/\[0, NaN, 0\]/)
    expect(() => touch.moveHand([0, 0, 0], [0, 0, 0])).toThrow(/undefined/)
    expect(() => touchExactly(body, tool, { friction: -1 })).toThrow(/friction is -1/)
    expect(() => touchExactly(body, tool, { thickness: 0 })).toThrow(/thickness is 0/)
    expect(() => touchExactly(body, tool, { wrist: [] })).toThrow(/no nodes/)
    expect(() => touchExactly(body, tool, { wrist: [999] })).toThrow(/wrist node 999/)
    expect(() => touchExactly(body, body)).toThrow(/the same/)
    expect(() => touchExactly(body, tool).moveHand([0, 0, 0], [0, 0, 0, 1])).toThrow(/nobody holds/)
    body.positions[4] = Number.NaN
    expect(() => touch.step(1 / 60)).toThrow(/finite/)
  })

  it('does not explode: frames far too long, hands that jump, bodies that begin inside each other', () => {
    const mesh = ballMesh(0.03, 3, [0.1, SLAB_TOP, 0.1])
    const [body, tool] = [slab({ substep: 0.5, maxFrame: 10 }), new FemBody(mesh, { substep: 0.5, maxFrame: 10 })]
    const touch = touchExactly(body, tool, { wrist: upperNodes(mesh, SLAB_TOP + 0.01) })
    const [x, y, z] = touch.handPosition!
    for (let n = 0; n < 20; n++) {
      touch.moveHand([x + (n % 3) - 1, y + (n % 2), z], [n % 2, 0, 0, 1])
      touch.step(n % 4 === 0 ? 1e6 : 0.4)
      for (const { positions } of [body, tool]) expect(positions.every(Number.isFinite)).toBe(true)
    }
    for (let n = 0; n < 60; n++) {
      touch.moveHand([x, y + 0.05, z], [0, 0, 0, 1])
      touch.step(1 / 60)
    }
    for (const { velocities } of [body, tool]) expect(Math.max(...velocities.map(Math.abs))).toBeLessThan(0.1)
  })

  it('simulates nothing for no time', () => {
    const tool = new FemBody(ballMesh(0.03, 2, [0.1, 0.1, 0.1]))
    const before = tool.positions.slice()
    const touch = touchExactly(slab(), tool)
    touch.step(0)
    touch.step(-1)
    expect(tool.positions).toEqual(before)
  })
})

function sumOf(values: Float64Array, axis: number): number {
  let sum = 0
  for (let i = axis; i < values.length; i += 3) sum += values[i]
  return sum
}
