import { type LabelJob, LabelPool } from '@pliant/train/unstable/label'
import { randomStream, type TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A tube bent shut: 800 triangles. */
const mesh = ((): TriangleMesh => {
  const positions: number[] = []
  const triangles: number[] = []
  for (let i = 0; i < 40; i++) {
    for (let j = 0; j < 10; j++) {
      const [u, v] = [(2 * Math.PI * i) / 40, (2 * Math.PI * j) / 10]
      const r = 1 + 0.3 * Math.cos(v)
      positions.push(r * Math.cos(u), r * Math.sin(u), 0.3 * Math.sin(v))
      const [a, b] = [10 * i + j, 10 * ((i + 1) % 40) + j]
      const [c, d] = [10 * ((i + 1) % 40) + ((j + 1) % 10), 10 * i + ((j + 1) % 10)]
      triangles.push(a, b, c, a, c, d)
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
})()

const POSES = 30
const POINTS = 200

/** Pose k: the tube sheared and waved, with points all round it; everything from the seed and k alone. */
function prepare(pose: number, positions: Float64Array, points: Float64Array): void {
  const random = randomStream(17, pose)
  const [shear, wave] = [random.normal(), random.normal()]
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = mesh.positions.subarray(i, i + 3)
    positions[i] = x + 0.3 * shear * z
    positions[i + 1] = y + 0.2 * wave * Math.sin(2 * x)
    positions[i + 2] = z
  }
  for (let i = 0; i < points.length; i++) points[i] = random.between(-1.5, 1.5)
}

const makeJob = (): LabelJob & { normals: Float64Array } => ({
  poses: POSES,
  pointsPerPose: POINTS,
  prepare,
  distances: new Float64Array(POSES * POINTS),
  normals: new Float64Array(3 * POSES * POINTS),
})

describe('label pool', () => {
  const pools: LabelPool[] = []
  beforeAll(async () => {
    for (const threads of [1, 2, 3]) pools.push(await LabelPool.create(mesh, { threads }))
  })
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.dispose()))
  })

  test('labels are those of one field that follows the poses, whatever the number of workers (seed 17)', async () => {
    const expected = makeJob()
    const field = new ExactMeshField(mesh)
    const positions = new Float64Array(mesh.positions.length)
    const points = new Float64Array(3 * POINTS)
    for (let pose = 0; pose < POSES; pose++) {
      prepare(pose, positions, points)
      field.update({ vertices: positions })
      const from = pose * POINTS
      field.query(
        points,
        POINTS,
        expected.distances.subarray(from, from + POINTS) as Float64Array,
        expected.normals.subarray(3 * from, 3 * (from + POINTS)),
      )
    }
    expect(expected.distances.some((d) => d < 0)).toBe(true)
    for (const pool of pools) {
      const job = makeJob()
      await pool.label(job)
      expect(job.distances).toEqual(expected.distances)
      expect(job.normals).toEqual(expected.normals)
    }
  })

  test('progress rises to 1, once per pose', async () => {
    const fractions: number[] = []
    await pools[1].label(makeJob(), { onProgress: ({ fraction }) => fractions.push(fraction) })
    expect(fractions).toEqual(Array.from({ length: POSES }, (_, k) => (k + 1) / POSES))
  })

  test('poses are prepared only a few ahead, so memory does not grow with their number', async () => {
    let prepared = 0
    let labelled = 0
    let ahead = 0
    const job = makeJob()
    job.prepare = (pose, positions, points) => {
      prepare(pose, positions, points)
      ahead = Math.max(ahead, ++prepared - labelled)
    }
    await pools[1].label(job, { onProgress: () => labelled++ })
    expect(ahead).toBeLessThanOrEqual(4)
  })

  test('an aborted job rejects with the reason, and the next one is right', async () => {
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const aborted = makeJob()
    const promise = pools[1].label(aborted, {
      signal: controller.signal,
      onProgress: ({ fraction }) => {
        if (fraction > 0.3) controller.abort(reason)
      },
    })
    await expect(promise).rejects.toBe(reason)
    expect(aborted.distances[POSES * POINTS - 1]).toBe(0)
    const [again, reference] = [makeJob(), makeJob()]
    await pools[1].label(again)
    await pools[0].label(reference)
    expect(again.distances).toEqual(reference.distances)
    await expect(pools[1].label(makeJob(), { signal: controller.signal })).rejects.toBe(reason)
  })

  test('a pose that the worker refuses is named, and the pool stays usable', async () => {
    const job = makeJob()
    job.prepare = (pose, positions, points) => {
      prepare(pose, positions, points)
      if (pose === 7) positions[5] = Number.NaN
    }
    await expect(pools[1].label(job)).rejects.toThrow(/^label: pose 7: refit: vertex 1 is NaN/)
    await pools[1].label(makeJob())
  })

  test('what prepare and onProgress throw comes out of label', async () => {
    const job = makeJob()
    job.prepare = () => {
      throw new Error('no such pose')
    }
    await expect(pools[0].label(job)).rejects.toThrow('no such pose')
    const onProgress = () => {
      throw new Error('terminal gone')
    }
    await expect(pools[0].label(makeJob(), { onProgress })).rejects.toThrow('terminal gone')
    await pools[0].label({ ...makeJob(), poses: 0 })
  })

  test('two jobs at once and arrays too short are refused', async () => {
    const first = pools[0].label(makeJob())
    await expect(pools[0].label(makeJob())).rejects.toThrow(/busy with another job/)
    await first
    const short = { ...makeJob(), distances: new Float32Array(10) }
    await expect(pools[0].label(short)).rejects.toThrow(/room for 10 distances and 6000 normals/)
  })
})

test('dispose ends a running job with an error, and a disposed pool says so', async () => {
  const pool = await LabelPool.create(mesh, { threads: 2 })
  const running = pool.label(makeJob())
  const outcome = expect(running).rejects.toThrow(/disposed/)
  await pool.dispose()
  await outcome
  await expect(pool.label(makeJob())).rejects.toThrow(/disposed/)
})

test('a broken mesh or number of threads is refused before any worker starts', async () => {
  await expect(LabelPool.create({ ...mesh, triangles: Uint32Array.of(0, 1, 4000) })).rejects.toThrow(/beyond the last/)
  await expect(LabelPool.create(mesh, { threads: 0 })).rejects.toThrow(/0 threads/)
})
