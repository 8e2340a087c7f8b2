import { type Progress, surfaceOfTets, type TetMesh, validateMesh, validateTets } from 'pliant'
import { meshVolume } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { tetrahedralise } from '../../src/tets/tetrahedralise.js'
import { box, expectSoundBody, joined, moved, ring, sphere, spikedSphere } from './solid-shapes.js'

describe('a closed surface filled with tetrahedra', () => {
  it('meets the counts asked for on a sphere, whose volume and shape it keeps', async () => {
    const given = sphere(4)
    const { mesh, report } = await tetrahedralise(given, { nodes: 300 })
    expect(expectSoundBody(mesh, given)).toBe(2)
    expect(report).toMatchObject({ nodes: mesh.positions.length / 3, sameTopology: true, lost: 0, thin: 0 })
    expect(Math.abs(report.nodes - 300)).toBeLessThan(15)
    expect(Math.abs(report.triangles - 480)).toBeLessThan(10)
    // With nodes on the sphere, chords of a quarter of the radius would hold 2.7% less, and lie .4% inside in the mean.
    expect(Math.abs(report.volumeError)).toBeLessThan(0.3)
    expect(report.meanDistance).toBeLessThan(0.08)
    expect(report.maxDistance).toBeLessThan(0.6)
    expect(report.smallestAngle).toBeGreaterThan(10)
  })

  it('takes more nodes, up to a limit, where the surface would else move too far; not if they are given', async () => {
    const told: string[] = []
    const onProgress = ({ detail = '' }: Progress): number => told.push(detail)
    const { report } = await tetrahedralise(sphere(4), { nodes: [100, 700, 1400], onProgress })
    expect(report.meanDistance).toBeLessThan(0.03)
    expect(report.maxDistance).toBeLessThan(0.5)
    expect([...new Set(told)]).toEqual([
      '100 nodes: cutting a lattice',
      '100 nodes: taking nodes out',
      '100 nodes: laying the surface through',
      '700 nodes: cutting a lattice',
      '700 nodes: taking nodes out',
      '700 nodes: laying the surface through',
      'filled',
    ])
    expect((await tetrahedralise(sphere(4), { nodes: 100 })).report.meanDistance).toBeGreaterThan(0.1)
  })

  it('keeps the edges of a box, where nodes on the surface would cut them off', async () => {
    const { mesh, report } = await tetrahedralise(box([1, 0.6, 0.4], 4), { nodes: 400 })
    expect(expectSoundBody(mesh, box([1, 0.6, 0.4], 4))).toBe(2)
    expect(report.meanDistance).toBeLessThan(0.05)
    expect(Math.abs(report.volumeError)).toBeLessThan(0.2)
  })

  it('fills a plate, and spikes', async () => {
    for (const thin of [box([1, 0.03, 1], 6), spikedSphere()]) {
      const { mesh, report } = await tetrahedralise(thin, { nodes: 500 })
      expect(expectSoundBody(mesh, thin, 0.1)).toBe(2)
      expect(Math.abs(report.volumeError)).toBeLessThan(2)
      expect(report.meanDistance).toBeLessThan(0.08)
      expect(report.maxDistance).toBeLessThan(3)
    }
  })

  it('keeps the hole of a torus', async () => {
    const { mesh, report } = await tetrahedralise(ring(), { nodes: 300 })
    expect(expectSoundBody(mesh, ring())).toBe(0)
    expect(report.sameTopology).toBe(true)
    expect(report.smallestAngle).toBeGreaterThan(10)
  })

  it('makes the same body of a surface that faces inward, and again of the same one', async () => {
    const inward = { ...sphere(3), triangles: sphere(3).triangles.slice().reverse() }
    expect(meshVolume(inward)).toBeLessThan(0)
    const first = await tetrahedralise(sphere(3), { nodes: 150 })
    const turned = await tetrahedralise(inward, { nodes: 150 })
    // Not the same one: ties between collapses fall otherwise. But as good.
    expect(turned.report).toMatchObject({ sameTopology: true, lost: 0 })
    expect(Math.abs(turned.report.nodes - first.report.nodes)).toBeLessThan(3)
    expect(turned.report.meanDistance / first.report.meanDistance).toBeLessThan(1.2)
    expect(Math.abs(turned.report.volumeError - first.report.volumeError)).toBeLessThan(0.15)
    expect(await tetrahedralise(sphere(3), { nodes: 150 })).toEqual(first)
  })

  it('says how much of a surface is thinner than its lattice', async () => {
    const flat = sphere(3)
    const lens = { ...flat, positions: flat.positions.map((value, i) => (i % 3 === 1 ? 0.06 * value : value)) }
    const { mesh, report } = await tetrahedralise(lens, { nodes: 300 })
    expectSoundBody(mesh, lens, 0.1)
    expect(report.thin).toBeGreaterThan(0.1)
  })

  it('leaves a hollow empty', async () => {
    const small = sphere(3)
    const wall = { positions: small.positions.map((x) => x / 2), triangles: small.triangles.slice().reverse() }
    const hollow = joined(sphere(3), wall)
    const { mesh, report } = await tetrahedralise(hollow, { nodes: 400 })
    expect(expectSoundBodyOfTwoPieces(mesh)).toBe(4)
    expect(report.sameTopology).toBe(true)
    expect(Math.abs(report.volumeError)).toBeLessThan(8)
  })

  it('stops when told to, and says how far it is', async () => {
    const shares: number[] = []
    await tetrahedralise(sphere(2), { nodes: 100, onProgress: ({ fraction }) => shares.push(fraction) })
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    const controller = new AbortController()
    const onProgress = () => controller.abort(new Error('enough'))
    await expect(tetrahedralise(sphere(2), { signal: controller.signal, onProgress })).rejects.toThrow('enough')
  })
})

describe('surfaces that cannot be filled', () => {
  it.each([
    [
      'empty',
      { positions: new Float64Array(0), triangles: new Uint32Array(0) },
      /^tetrahedralise: the mesh has no tri/,
    ],
    [
      'open',
      { ...sphere(2), triangles: sphere(2).triangles.slice(3) },
      /^tetrahedralise: 3 edges with one triangle: the surface is open \(.*\); close it first\.$/,
    ],
    [
      'flat',
      { ...sphere(2), positions: sphere(2).positions.map((x, i) => (i % 3 === 0 ? 0 : x)) },
      /^tetrahedralise: the surface is closed but encloses nothing; /,
    ],
    ['through itself', ring(0.2), /^tetrahedralise: the surface passes through itself .*"selfIntersecting": "fill"/],
    [
      'two bodies',
      joined(sphere(2), moved(sphere(2), [3, 0, 0])),
      /^tetrahedralise: the surface makes 2 bodies that do not touch; /,
    ],
    [
      'not finite',
      { ...sphere(1), positions: sphere(1).positions.map((x, i) => (i === 7 ? Number.NaN : x)) },
      /^tetrahedralise: 1 vertices with NaN/,
    ],
  ])('%s', async (_, surface, message) => {
    await expect(tetrahedralise(surface, { nodes: 100 })).rejects.toThrow(message)
  })

  it('fills what a surface winds round if asked to, though it passes through itself', async () => {
    const { report } = await tetrahedralise(ring(0.2), { nodes: 300, selfIntersecting: 'fill' })
    expect(report.smallestAngle).toBeGreaterThan(10)
  })

  it.each([
    [{ nodes: 5 }, /^tetrahedralise: nodes is 5; choose from 30 to /],
    [{ nodes: Number.NaN }, /^tetrahedralise: nodes is NaN; /],
    [{ nodes: 100, triangles: 300 }, /^tetrahedralise: triangles is 300; 100 nodes can have up to 200\.$/],
  ])('%o is out of range', async (options, message) => {
    await expect(tetrahedralise(sphere(2), options)).rejects.toThrow(message)
  })
})

/** Euler characteristic of a surface in two pieces, which `expectSoundBody` would count as an issue. */
function expectSoundBodyOfTwoPieces(mesh: TetMesh): number {
  const surface = surfaceOfTets(mesh)
  expect(validateTets(mesh)).toEqual([])
  expect(validateMesh(surface).map(({ kind }) => kind)).toEqual(['several-pieces'])
  return surface.positions.length / 3 - surface.triangles.length / 6
}
