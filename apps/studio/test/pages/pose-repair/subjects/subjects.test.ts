/** Every kind that the page opens keeps what the page counts on; files of other kinds, and motions that do not fit, are refused. */
import { readFileSync } from 'node:fs'
import { rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { clipToBvh } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { openSubject } from '../../../../src/pages/pose-repair/subjects/index.js'
import { namedApart } from '../../../../src/pages/pose-repair/subjects/read-motions.js'

const artifact = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../public/artifacts/${name}`, import.meta.url)))

describe.each(['humanoid-contact.safetensors', 'bracelet.safetensors'])('%s', async (file) => {
  const subject = await openSubject(file, artifact(file), [])
  const { shape, entries, parts, near, field } = subject
  // The first end of an entry's range at which the body is in itself.
  const ends = [...shape.bounds.lower.keys()].flatMap((k) =>
    (['lower', 'upper'] as const).map((side) => {
      const code = new Float64Array(shape.codeSize)
      code[k] = shape.bounds[side][k]
      return code
    }),
  )
  const touching = ends.find((code) => subject.exact.touches(code))!
  const half = shape.bounds.upper.map((upper, k) => 0.3 * upper + 0.2 * shape.bounds.lower[k])

  it('says of every entry, triangle and pair what it belongs to', () => {
    const groups = new Set(entries.map(({ group }) => group))
    expect(entries).toHaveLength(shape.codeSize)
    expect(parts.ofTriangle).toHaveLength(shape.triangles.length / 3)
    expect(Math.max(...parts.ofTriangle)).toBeLessThan(parts.groups.length)
    for (const group of parts.groups) expect(groups).toContain(group)
    expect(near.ofPair).toHaveLength(2 * near.field.pairs.length)
    expect(near.names).toHaveLength(near.field.pairs.length)
    expect(Math.max(...near.ofPair)).toBeLessThan(parts.groups.length)
  })

  it('is free at rest, exactly and by its clearances, and meets itself somewhere in its box', () => {
    const clearances = new Float64Array(near.field.pairs.length)
    near.field.clearances(new Float64Array(shape.codeSize), clearances)
    expect(Math.min(...clearances)).toBeGreaterThan(0)
    expect(subject.exact.touches(new Float64Array(shape.codeSize))).toBe(false)
    expect(subject.exact.meetingPairs(touching).length).toBeGreaterThan(0)
    const distance = new Float64Array(1)
    field.query(touching, 1, distance)
    expect(distance[0]).toBeLessThan(0)
  })

  it('moves its vertices, and pulls back to the code as finite differences do', () => {
    const vertex = shape.triangles[shape.triangles.length >> 1]
    const points = shape.movedPoints([vertex])
    const [all, one, gradient] = [
      new Float64Array(3 * shape.vertexCount),
      new Float64Array(3),
      new Float64Array(half.length),
    ]
    shape.positions(half, all)
    points.positions(half, one)
    expect([...one]).toEqual([0, 1, 2].map((axis) => expect.closeTo(all[3 * vertex + axis], 9)))
    points.pullBack(half, [0.3, -1, 0.6], gradient)
    expectSlope(gradient, half, (code) => {
      points.positions(code, one)
      return 0.3 * one[0] - one[1] + 0.6 * one[2]
    })
  })

  it('pulls its least clearance back to the code as finite differences do', () => {
    const clearances = new Float64Array(near.field.pairs.length)
    const [gradient, code] = [new Float64Array(half.length), touching.map((value) => 0.95 * value)]
    near.field.clearances(code, clearances)
    const nearest = clearances.indexOf(Math.min(...clearances))
    near.field.pullBackClearances(
      clearances.map((_, pair) => (pair === nearest ? -2 : 0)),
      gradient,
    )
    expectSlope(gradient, code, (at) => {
      near.field.clearances(at, clearances)
      return -2 * clearances[nearest]
    })
  })
})

function expectSlope(gradient: Float64Array, code: Float64Array, value: (code: Float64Array) => number): void {
  const size = Math.hypot(...gradient)
  expect(size).toBeGreaterThan(0)
  for (let k = 0; k < code.length; k += 2) {
    const step = (h: number): number => value(code.map((entry, i) => (i === k ? entry + h : entry)))
    // Networks may answer in single precision.
    expect(Math.abs((step(2e-4) - step(-2e-4)) / 4e-4 - gradient[k])).toBeLessThan(5e-3 * size)
  }
}

describe('motions', () => {
  const humanoid = artifact('humanoid-contact.safetensors')

  it('are the clips of the rig, and poses never trained on, each a code at any time', async () => {
    const glb = { name: 'humanoid.glb', bytes: artifact('humanoid.glb') }
    const { motions, shape } = await openSubject('h', humanoid, [glb])
    expect(motions.length).toBeGreaterThan(2)
    expect(motions.at(-1)!.name).toBe('Poses never trained on')
    for (const { codeAt, seconds } of motions) {
      const [first, later] = [new Float64Array(shape.codeSize), new Float64Array(shape.codeSize)]
      codeAt(0, first)
      codeAt(0.4 * seconds, later)
      expect([...first, ...later].every(Number.isFinite)).toBe(true)
      expect(later).not.toEqual(first)
    }
  })

  it('of a recording are those of the body that was recorded', async () => {
    const rig = rigFromScene(readGltf(artifact('humanoid.glb')))
    const clip = rig.clips[0]
    const bvh = { name: 'recorded.bvh', bytes: clipToBvh(rig.skeleton, clip) }
    const glb = { name: 'humanoid.glb', bytes: artifact('humanoid.glb') }
    const { motions, shape } = await openSubject('h', humanoid, [bvh, glb])
    const [recorded, original] = [motions[0], motions[1]]
    expect(recorded.name).toBe('recorded')
    expect(original.name).toBe(clip.name)
    const [there, here] = [new Float64Array(shape.codeSize), new Float64Array(shape.codeSize)]
    recorded.codeAt(0.5 * clip.duration, there)
    original.codeAt(0.5 * clip.duration, here)
    // Turns of a recording are told to some hundredths of a degree, and its frames are not the clip's keys.
    for (let k = 0; k < here.length; k++) expect(there[k]).toBeCloseTo(here[k], 1)
  })

  it('that move too little of the body are refused', async () => {
    const bvh = { name: 'wave.bvh', bytes: new TextEncoder().encode(WAVE) }
    await expect(openSubject('h', humanoid, [bvh])).rejects.toThrow(
      /^pose repair: wave\.bvh: its joints move \d+% of the surface, 75% are needed; /,
    )
  })

  it('that are none, or have no joints to move, are refused in one line', async () => {
    const notes = { name: 'notes.bvh', bytes: new TextEncoder().encode('my notes') }
    await expect(openSubject('h', humanoid, [notes])).rejects.toThrow(/^pose repair: notes\.bvh: .+$/)
    await expect(openSubject('b', artifact('bracelet.safetensors'), [notes])).rejects.toThrow(
      'pose repair: notes.bvh is a motion, bracelet has no joints; open a character.',
    )
  })
})

it('refuses a file of another kind', async () => {
  await expect(openSubject('bar.safetensors', artifact('bar.safetensors'), [])).rejects.toThrow(
    /^pose repair: bar\.safetensors does not tell self-contact; /,
  )
})

/** A spine that bows, and nothing else. */
const WAVE = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 20 0
0 0 0 0 0 0 0 40 0
`

it('motions of one name are numbered, and one without a name has one', () => {
  const motion = (name: string) => ({ name, seconds: 1, codeAt: () => {} })
  const names = ['run', '', 'run', 'run (2)', 'run'].map(motion)
  expect(namedApart(names).map(({ name }) => name)).toEqual(['run', 'motion', 'run (2)', 'run (2) (2)', 'run (3)'])
})
