import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decode, fieldSphere, randomStream, type TetMesh } from '../../../src/index.js'
import { RigidAlignment } from '../../../src/model/rigid-alignment.js'
import { femEnergy, invertedTets } from '../../../src/sim/fem/fem-energy.js'
import { FemBody, type FemKernel } from '../../../src/sim/index.js'
import { bar, nodesAt } from './bars.js'

const trained = async (name: string): Promise<TetMesh> => {
  const file = new URL(`../../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url)
  return (await decode(new Uint8Array(readFileSync(file)), 'elastic-body')).body.mesh
}

/** What is done to a free body before the first step, or in the first five. */
const LOADS: Record<string, (body: FemBody, middle: number[], frame: number) => void> = {
  'one node pulled with 100 N': (body, _, frame) => {
    body.forces[0] = frame < 5 ? 100 : 0
  },
  'a sphere of twice its size in it': (body, [x, y, z], frame) => {
    body.setObstacles(frame < 5 ? [{ field: fieldSphere([x, y, z], 2 * body.size) }] : [])
  },
  'nodes anywhere': atFirst((_, middle, _axis, random, size) => middle + size * random()),
  'nodes anywhere in five times its size': atFirst((_, middle, _axis, random, size) => middle + 5 * size * random()),
  'a plane': atFirst((x, middle, axis) => (axis === 1 ? middle : x)),
  'a line': atFirst((x, middle, axis) => (axis === 1 ? x : middle)),
  'a point': atFirst((_, middle) => middle),
  'four times as large': atFirst((x, middle) => middle + 4 * (x - middle)),
  'inside out': atFirst((x, middle, axis) => (axis === 0 ? 2 * middle - x : x)),
}

function atFirst(place: (x: number, middle: number, axis: number, random: () => number, size: number) => number) {
  return (body: FemBody, middle: number[], frame: number): void => {
    if (frame > 0) return
    const random = randomStream(7)
    for (let i = 0; i < body.positions.length; i++) {
      body.positions[i] = place(body.positions[i], middle[i % 3], i % 3, () => random.between(-0.5, 0.5), body.size)
    }
  }
}

/** Largest distance of a node from the rest shape, moved and turned as the body is, over the body's size. */
function awayFromRest(body: FemBody, rest: Float64Array): number {
  const frame = new Float64Array(16)
  const nodes = rest.length / 3
  new RigidAlignment(rest, body.masses.slice(0, nodes)).align(body.positions.slice(0, rest.length), frame)
  let most = 0
  for (let i = 0; i < rest.length; i += 3) {
    const off = [0, 1, 2].map(
      (row) =>
        frame[row] * rest[i] +
        frame[4 + row] * rest[i + 1] +
        frame[8 + row] * rest[i + 2] +
        frame[12 + row] -
        body.positions[i + row],
    )
    most = Math.max(most, Math.hypot(...off))
  }
  return most / body.size
}

/** @param whole  what is simulated; its first nodes are those of `mesh`, which is looked at in the end */
function comesBack(
  mesh: TetMesh,
  load: string,
  kernel: FemKernel,
  material: object,
  frames = 120,
  whole: TetMesh = mesh,
): void {
  const body = new FemBody(whole, { gravity: [0, 0, 0], material, kernel })
  const middle = [0, 1, 2].map(
    (axis) => whole.positions.filter((_, i) => i % 3 === axis).reduce((a, b) => a + b) / body.nodeCount,
  )
  let before = Infinity
  for (let frame = 0; frame < frames; frame++) {
    LOADS[load](body, middle, frame)
    body.step(1 / 60)
    const energy = femEnergy(body).total
    // Once nothing acts on it any more, energy only goes.
    if (frame >= 5) expect(energy).toBeLessThanOrEqual(before * (1 + 1e-4) + 1e-7)
    before = energy
  }
  expect(invertedTets(whole, body.positions)).toEqual([])
  expect(awayFromRest(body, mesh.positions)).toBeLessThan(0.02)
}

const [hand, bunny] = await Promise.all(['hand', 'bunny'].map(trained))

describe('a body that is treated violently comes back to its rest shape, its energy only falling', () => {
  const box = bar([0.2, 0.15, 0.1], [4, 3, 2])
  for (const load of Object.keys(LOADS)) {
    it.each(['simd', 'plain'] as const)(`box: ${load} (%s)`, (kernel) => {
      comesBack(box, load, kernel, { young: 2e4, poisson: 0.45, stiffnessDamping: 0.02 })
    })
    it(`hand: ${load}`, () => comesBack(hand, load, 'simd', { density: 500, young: 8e4, poisson: 0.4 }))
  }
  it('hand of the default material: one node pulled with 100 N', () => {
    comesBack(hand, 'one node pulled with 100 N', 'simd', {})
  })
  it.each(['one node pulled with 100 N', 'inside out'])('bunny: %s', (load) => {
    comesBack(bunny, load, 'simd', { density: 167, young: 1964, poisson: 0.4, stiffnessDamping: 0.02 }, 90)
  })

  // Bodies of several pieces are never put back into their rest shape: only going down helps them.
  const pieces = (mesh: TetMesh): TetMesh => {
    const nodes = mesh.positions.length / 3
    return {
      positions: Float64Array.from([...mesh.positions, ...mesh.positions.map((x, i) => (i % 3 === 0 ? x + 0.5 : x))]),
      tetrahedra: Uint32Array.from([...mesh.tetrahedra, ...mesh.tetrahedra.map((node) => node + nodes)]),
    }
  }
  it.each(['a line', 'a point'])('two boxes: %s opens up', (load) => {
    comesBack(box, load, 'simd', { young: 2e4, poisson: 0.45, stiffnessDamping: 0.02 }, 120, pieces(box))
  })
  it('two hands: a sphere of twice their size in them', () => {
    const material = { density: 500, young: 8e4, poisson: 0.4 }
    comesBack(hand, 'a sphere of twice its size in it', 'simd', material, 120, pieces(hand))
  })

  it('a stiff box inside out has lost nearly all of its energy after one step', () => {
    const body = new FemBody(box, { gravity: [0, 0, 0], material: { young: 1e7, poisson: 0.4 } })
    LOADS['inside out'](body, [0.1, 0.075, 0.05], 0)
    const before = femEnergy(body).total
    body.step(1 / 60)
    // 27 J; 1,700 with half the solves.
    expect(before).toBeGreaterThan(50_000)
    expect(femEnergy(body).total).toBeLessThan(200)
  })

  it('with pins', () => {
    const body = new FemBody(box, { gravity: [0, 0, 0], material: { young: 2e4 } })
    body.pin(nodesAt(box, 0, 0))
    const random = randomStream(3)
    for (let i = 0; i < body.positions.length; i++) {
      if (body.pinned[Math.trunc(i / 3)] === 0) body.positions[i] += random.between(-0.2, 0.2)
    }
    for (let frame = 0; frame < 120; frame++) body.step(1 / 60)
    const away = body.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - box.positions[i])), 0)
    expect(away).toBeLessThan(0.02 * body.size)
  })
})
