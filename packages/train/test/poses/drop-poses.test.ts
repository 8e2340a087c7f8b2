import { type DropPoseOptions, type DropRun, makeDropPoses } from '@pliant/train/unstable'
import { lumpedMasses, RigidAlignment } from 'pliant/unstable'
import { describe, expect, test } from 'vitest'
import { dropSettings } from '../../src/poses/drop-options.js'
import { dropScene } from '../../src/poses/drop-scene.js'
import { boxOfTets } from '../modes/box-of-tets.js'

const mesh = boxOfTets([4, 2, 2], [0.4, 0.2, 0.2])

const options: DropPoseOptions = { poses: 12, snapshots: 4, stepsBetween: 2, seed: 5, threads: 1 }

describe('drop poses', () => {
  test('are bent shapes of the body, whole and apart from each other', async () => {
    const fractions: number[] = []
    const made = await makeDropPoses(mesh, { ...options, onProgress: ({ fraction }) => fractions.push(fraction) })
    expect(made.count).toBe(12)
    expect(made.positions.length).toBe(12 * mesh.positions.length)
    expect(made.positions.every(Number.isFinite)).toBe(true)
    expect(fractions.at(-1)).toBe(1)
    expect(made.runs).toBeGreaterThanOrEqual(3)
    const bends = Array.from({ length: 12 }, (_, pose) => bend(made.positions, pose))
    expect(Math.min(...bends)).toBeGreaterThan(1e-4)
    expect(Math.max(...bends)).toBeGreaterThan(0.02)
    expect(Math.max(...bends)).toBeLessThan(0.5)
  })

  test('are the same for any number of threads, and after being stopped and resumed', async () => {
    const whole = await makeDropPoses(mesh, { ...options, threads: 2 })
    const kept = new Map<number, DropRun>()
    const controller = new AbortController()
    const stopped = makeDropPoses(mesh, {
      ...options,
      signal: controller.signal,
      onRun: (run) => {
        kept.set(run.run, run)
        controller.abort()
      },
    })
    await expect(stopped).rejects.toThrow(/abort/)
    expect(kept.size).toBeGreaterThan(0)
    let again = 0
    const resumed = await makeDropPoses(mesh, {
      ...options,
      finished: (run) => kept.get(run),
      onRun: (run) => {
        if (kept.has(run.run)) again++
      },
    })
    expect(again).toBe(0)
    expect(resumed).toEqual(whole)
  })

  test('of other seeds and for other purposes differ', async () => {
    const few = { ...options, poses: 4 }
    const [a, b, c] = await Promise.all([
      makeDropPoses(mesh, few),
      makeDropPoses(mesh, { ...few, seed: 6 }),
      makeDropPoses(mesh, { ...few, purpose: 'evaluation' }),
    ])
    expect(a.positions).not.toEqual(b.positions)
    expect(a.positions).not.toEqual(c.positions)
  })

  test('of a range of materials differ run by run, and a range of one value changes nothing', async () => {
    const few = { ...options, poses: 4 }
    const plain = await makeDropPoses(mesh, few)
    const one = await makeDropPoses(mesh, { ...few, stiffness: [1, 1], damping: [1, 1], poisson: [0.49, 0.49] })
    expect(one).toEqual(plain)
    for (const range of [{ stiffness: [0.3, 0.5] }, { damping: [0.1, 0.3] }, { poisson: [0.3, 0.4] }] as const) {
      const varied = await makeDropPoses(mesh, { ...few, ...range })
      expect(varied.positions).not.toEqual(plain.positions)
    }
    const settings = dropSettings(mesh, { damping: [0.1, 1], poisson: [0.4, 0.49], stiffness: [0.5, 2] })
    const scenes = Array.from({ length: 40 }, (_, run) => dropScene(settings, run))
    for (const name of ['damping', 'poisson', 'stiffness'] as const) {
      const drawn = scenes.map((scene) => scene[name])
      const [low, high] = settings[name]
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(low)
      expect(Math.max(...drawn)).toBeLessThanOrEqual(high)
      expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(0.8 * (high - low))
    }
  })

  test('do not depend on the unit of the mesh', async () => {
    const large = { positions: mesh.positions.map((x) => 1024 * x), tetrahedra: mesh.tetrahedra }
    const few = { ...options, poses: 4 }
    const [metres, kilometres] = [await makeDropPoses(mesh, few), await makeDropPoses(large, few)]
    for (let i = 0; i < metres.positions.length; i++) {
      expect(Math.abs(kilometres.positions[i] / 1024 - metres.positions[i])).toBeLessThan(1e-3)
    }
  })

  test('with inverted tetrahedra are left out, and counted', async () => {
    const made = await makeDropPoses(mesh, { ...options, poses: 6, finished: (run) => standIn(run, [0, 3, 0, 1]) })
    expect(made).toMatchObject({ count: 6, runs: 3, inverted: { poses: 5, tetrahedra: 11 } })
    // Snapshots 0 and 2 of each run, told by how far they are stretched.
    const stretched = Array.from({ length: 6 }, (_, pose) => made.positions[(pose + 1) * mesh.positions.length - 1])
    const expected = [0, 1, 2].flatMap((run) =>
      [0, 2].map((snapshot) => standIn(run, [0, 0, 0, 0]).positions[(snapshot + 1) * mesh.positions.length - 1]),
    )
    expect(stretched).toEqual(expected)
    expect([...made.runOf]).toEqual([0, 0, 1, 1, 2, 2])
  })

  test('to judge by are few of each drop, at all times of it, those with inverted tetrahedra apart', async () => {
    const finished = (run: number): DropRun => standIn(run, [0, 0, run % 3, 0])
    const made = await makeDropPoses(mesh, { ...options, poses: 20, perRun: 2, keepInverted: true, finished })
    expect(made.count).toBe(20)
    expect(made.runs).toBeGreaterThan(10)
    expect(made.turned!.count).toBe(made.inverted.poses)
    expect(made.turned!.count).toBeGreaterThan(2)
    const { length } = mesh.positions
    const times = new Set<number>()
    for (let pose = 0; pose < 20; pose++) {
      const run = finished(made.runOf[pose])
      const snapshot = [0, 1, 2, 3].find(
        (s) => run.positions[(s + 1) * length - 1] === made.positions[(pose + 1) * length - 1],
      )!
      expect(run.inverted[snapshot]).toBe(0)
      times.add(snapshot)
    }
    expect(times.size).toBe(4)
    for (let pose = 0; pose < made.turned!.count; pose++) {
      const run = finished(made.turned!.runOf[pose])
      expect(made.turned!.positions[(pose + 1) * length - 1]).toBe(run.positions[3 * length - 1])
      expect(run.inverted[2]).toBeGreaterThan(0)
    }
  })

  test('stop when time is up, with what is there by then, but for the fewest', async () => {
    let asked = 0
    const timeIsUp = (): boolean => ++asked > 2
    const finished = (run: number): DropRun => standIn(run, [0, 0, 0, 0])
    const made = await makeDropPoses(mesh, { ...options, poses: 100, finished, timeIsUp })
    // 24 poses are the fewest: six runs of four; the clock is asked from then on.
    expect(made).toMatchObject({ count: 32, runs: 8 })
  })

  test('that are alike count once', async () => {
    const made = await makeDropPoses(mesh, { ...options, duplicate: 0.2 })
    expect(made.dropped).toBeGreaterThan(0)
    // Patience ends at four times the runs that would have done.
    expect(made.runs).toBe(12)
    expect(made.count).toBeLessThan(12)
  })

  test('refuse what cannot be dropped', async () => {
    await expect(makeDropPoses(mesh, { ...options, poses: 1.5 })).rejects.toThrow(/poses is 1.5/)
    await expect(makeDropPoses(mesh, { ...options, threads: 0 })).rejects.toThrow(/threads is 0/)
    await expect(makeDropPoses(mesh, { ...options, step: 5 })).rejects.toThrow(/step is 5/)
    await expect(makeDropPoses(mesh, { ...options, material: { poisson: 0.5 } })).rejects.toThrow(/poisson is 0.5/)
    await expect(makeDropPoses(mesh, { ...options, poisson: [0.4, 0.5] })).rejects.toThrow(/poisson is 0.5/)
    await expect(makeDropPoses(mesh, { ...options, poisson: [0.4, 0.3] })).rejects.toThrow(/poisson is 0.4,0.3/)
    await expect(makeDropPoses(mesh, { ...options, damping: [0, 1] })).rejects.toThrow(/damping is 0,1/)
    const inside = { positions: mesh.positions.map((x) => -x), tetrahedra: mesh.tetrahedra }
    await expect(makeDropPoses(inside, options)).rejects.toThrow(/inverted/)
    const reason = new Error('no time')
    await expect(makeDropPoses(mesh, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

/** A run that was never simulated: the body stretched, further with every snapshot. */
function standIn(run: number, inverted: number[]): DropRun {
  const positions = inverted.flatMap((_, snapshot) =>
    [...mesh.positions].map((value) => value * (1.1 + 0.05 * (4 * run + snapshot))),
  )
  return {
    run,
    positions: Float32Array.from(positions),
    inverted: Uint32Array.from(inverted),
    crossings: new Uint32Array(inverted.length),
    unconverged: 0,
  }
}

/** Root mean square [m] by which a pose differs from the rest shape moved rigidly. */
function bend(positions: Float32Array, pose: number): number {
  const { length } = mesh.positions
  const own = positions.subarray(pose * length, (pose + 1) * length)
  const frame = new Float64Array(16)
  new RigidAlignment(mesh.positions, lumpedMasses(mesh, 1)).align(own, frame)
  let sum = 0
  for (let i = 0; i < length; i += 3) {
    const [x, y, z] = mesh.positions.subarray(i, i + 3)
    for (let row = 0; row < 3; row++) {
      sum += (frame[row] * x + frame[4 + row] * y + frame[8 + row] * z + frame[12 + row] - own[i + row]) ** 2
    }
  }
  return Math.sqrt((3 * sum) / length)
}
