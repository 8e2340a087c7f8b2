import { randomStream, validateMesh } from 'pliant'
import { meshVolume } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { surfaceNets } from '../../src/surface/surface-nets.js'

const box = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const

function everywhere(step: number): Float64Array {
  const seeds: number[] = []
  for (let x = -1; x <= 1; x += step)
    for (let y = -1; y <= 1; y += step) for (let z = -1; z <= 1; z += step) seeds.push(x, y, z)
  return Float64Array.from(seeds)
}

describe('surface nets', () => {
  it('follow a sphere all round from a single seed', async () => {
    const ball = (x: number, y: number, z: number) => x * x + y * y + z * z < 0.64
    const mesh = await surfaceNets(box, ball, Float64Array.of(0.8, 0.001, 0.002), { cell: 0.05 })
    expect(validateMesh(mesh)).toEqual([])
    expect(Math.abs(meshVolume(mesh) / ((4 / 3) * Math.PI * 0.512) - 1)).toBeLessThan(0.01)
    for (let v = 0; v < mesh.positions.length; v += 3) {
      expect(Math.abs(Math.hypot(...mesh.positions.subarray(v, v + 3)) - 0.8)).toBeLessThan(0.01)
    }
  })

  for (const seed of [1, 2, 3]) {
    it(`are a closed manifold facing outward around any heap of random cells (seed ${seed})`, async () => {
      // Noise of one cell's size: every kind of corner, edge and diagonal contact there is.
      const random = randomStream(seed, 1)
      const filled = Uint8Array.from({ length: 8000 }, () => (random.uniform() < 0.35 ? 1 : 0))
      const noise = (x: number, y: number, z: number) => {
        const at = [x, y, z].map((value) => Math.floor((value + 1) * 10))
        return at.every((i) => i >= 0 && i < 20) && filled[at[0] + 20 * at[1] + 400 * at[2]] === 1
      }
      const mesh = await surfaceNets(box, noise, everywhere(0.05), { cell: 0.1 })
      expect(mesh.filled).toBeGreaterThan(0)
      const kinds = validateMesh(mesh).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind !== 'several-pieces' && kind !== 'degenerate-face')).toEqual([])
      expect(meshVolume(mesh)).toBeGreaterThan(0)
    })
  }

  it('give nothing where nothing is inside', async () => {
    const mesh = await surfaceNets(box, () => false, everywhere(0.5), { cell: 0.1 })
    expect(mesh.triangles.length).toBe(0)
  })
})
