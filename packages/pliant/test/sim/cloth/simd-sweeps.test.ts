/** The sweeps on SIMD are those of plain code to the last bit, whatever state they meet. */
import { describe, expect, it } from 'vitest'
import { fieldCapsule } from '../../../src/field/analytic.js'
import { randomStream } from '../../../src/math/random.js'
import { type AddressCheck, checkAddresses } from '../../../src/math/wasm/address-check.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { createBend } from '../../../src/sim/cloth/bend.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothSettings } from '../../../src/sim/cloth/cloth-options.js'
import { type ClothState, type ClothSweeps, PlainSweeps } from '../../../src/sim/cloth/cloth-sweeps.js'
import { clothTube } from '../../../src/sim/cloth/cloth-tube.js'
import { clothEdges } from '../../../src/sim/cloth/hinges.js'
import { createSimdSweeps } from '../../../src/sim/cloth/simd/simd-sweeps.js'
import { createStretch } from '../../../src/sim/cloth/stretch.js'
import { FRAME } from './sheets.js'

const ARRAYS = ['positions', 'previous', 'velocities', 'accelerations', 'inverseMasses'] as const

/** Flat at rest. An odd number of vertices, so that vectors reach past the last. */
const sheet = clothGrid(5, 7)
/** Curved at rest. */
const tube = clothTube({
  path: [
    [0, 0.3, 0],
    [0, 0, 0],
  ],
  rings: 7,
  segments: 10,
  radius: () => 0.1,
})
const MESHES: [string, TriangleMesh][] = [
  ['sheet', sheet],
  ['tube', tube],
]

describe('sweeps on SIMD', () => {
  for (const [name, mesh] of MESHES) {
    for (const seed of [1, 2, 3]) {
      it(`are those of plain code on a crumpled ${name} (seed ${seed})`, () => compare(mesh, seed, () => {}))
    }
  }

  it('stay within their arrays (seed 4)', () => {
    for (const [, mesh] of MESHES) compare(mesh, 4, () => {}, checkAddresses)
  })

  it.each([
    ['vertices at one place', (state: ClothState) => state.positions.fill(0.25, 3, 24)],
    ['speeds beyond all limits', (state: ClothState) => state.velocities.fill(1e200, 0, 12)],
    ['velocities that are not numbers', (state: ClothState) => state.velocities.fill(Number.NaN, 9, 15)],
    ['zeros of either sign', (state: ClothState) => state.positions.fill(-0).fill(0, 30)],
    ['a hinge without masses', (state: ClothState) => state.inverseMasses.fill(0)],
    ['nothing that is finite', (state: ClothState) => state.positions.fill(Infinity, 6, 9)],
  ])('are those of plain code with %s (seed 5)', (_, spoil) => {
    for (const [, mesh] of MESHES) compare(mesh, 5, spoil)
  })

  it('let a squeezed cloth go where plain code does', () => {
    const cloths = (['plain', 'simd'] as const).map((kernel) => {
      const cloth = new Cloth(tube, { kernel, releaseStrain: 0.05 })
      expect(cloth.kernel).toBe(kernel)
      cloth.attach([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      return cloth
    })
    // A second leg beside the first leaves no room, and moves fast enough to sweep the cloth along.
    const leg = fieldCapsule([0, -0.5, 0], [0, 0.5, 0], 0.09)
    const other = fieldCapsule([0.2, -0.5, 0], [0.2, 0.5, 0], 0.09)
    const field = {
      ...leg,
      query(points: Float64Array, count: number, distances: Float64Array, gradients?: Float64Array) {
        leg.query(points, count, distances, gradients)
        const [d, g] = [new Float64Array(count), new Float64Array(3 * count)]
        other.query(points, count, d, g)
        for (let k = 0; k < count; k++) {
          if (d[k] >= distances[k]) continue
          distances[k] = d[k]
          gradients?.set(g.subarray(3 * k, 3 * k + 3), 3 * k)
        }
      },
    }
    const motion = {
      velocity: (_: unknown, __: unknown, count: number, out: Float64Array) => out.fill(1, 0, 3 * count),
    }
    let released = 0
    for (let frame = 0; frame < 40; frame++) {
      for (const cloth of cloths) {
        if (frame % 10 === 9) for (let i = 0; i < cloth.positions.length; i++) cloth.positions[i] *= 1.2
        cloth.step(frame % 2 === 0 ? FRAME : 1 / 144, { field, motion } as never)
      }
      released += cloths[0].contacts.released.reduce((sum, one) => sum + one, 0)
      expect(cloths[1].contacts.released).toEqual(cloths[0].contacts.released)
      expectSame(cloths[1].positions, cloths[0].positions)
      expectSame(cloths[1].velocities, cloths[0].velocities)
    }
    expect(released).toBeGreaterThan(10)
  })
})

function compare(mesh: TriangleMesh, seed: number, spoil: (state: ClothState) => void, check?: AddressCheck): void {
  const random = randomStream(seed)
  const count = mesh.positions.length / 3
  const [plain, simd] = ([PlainSweeps, createSimdSweeps] as const).map((kind) => {
    const rest = Float64Array.from(mesh.positions)
    const edges = clothEdges(mesh.triangles, count)
    const settings = clothSettings({})
    const stretch = createStretch(rest, edges, new Float64Array(edges.count).fill(1e-3), settings)
    const bend = createBend(rest, edges, settings)
    return kind === PlainSweeps ? new PlainSweeps(count, stretch, bend) : createSimdSweeps(count, stretch, bend, check)
  })
  const sides: ClothSweeps[] = [plain, simd]
  for (let i = 0; i < 3 * count; i++) {
    plain.positions[i] = mesh.positions[i] + 0.02 * random.normal()
    plain.velocities[i] = 0.5 * random.normal()
    plain.accelerations[i] = 10 * random.normal()
  }
  for (let v = 0; v < count; v++) plain.inverseMasses[v] = random.below(4) === 0 ? 0 : 100 + random.below(900)
  spoil(plain)
  for (const name of ARRAYS) simd[name].set(plain[name])
  const bytes = (): Uint8Array => Uint8Array.from({ length: count }, () => random.below(2))
  const [isSqueezed, swept] = [bytes(), bytes()]
  const released = sides.map(() => new Uint8Array(count))
  const all = (sweep: (side: ClothSweeps, n: number) => void): void => {
    sides.forEach(sweep)
    for (const name of ARRAYS) expectSame(simd[name], plain[name])
  }
  all((side) => side.weigh())
  for (const dt of [1 / 600, 1 / 1000]) {
    all((side) => side.prepare(dt))
    all((side) => side.damp(0.3))
    all((side) => side.drift(dt, 0.9 * dt, 0.99, 30))
    all((side) => side.bend())
    all((side, n) => side.solveStretch(0.1, isSqueezed, swept, released[n]))
    expect(released[1]).toEqual(released[0])
    all((side) => side.finish(dt))
  }
}

/** Bit for bit, but that one not-a-number is as good as another. */
function expectSame(values: Float64Array, truth: Float64Array): void {
  const wrong = values.findIndex((value, i) => !Object.is(value, truth[i]))
  if (wrong >= 0) expect([wrong, values[wrong]]).toEqual([wrong, truth[wrong]])
}
