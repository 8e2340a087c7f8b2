/** What the SDF contact page simulates, with the served bunny and armadillo: falls, is dragged, stands still, is refused. */
import { readFileSync } from 'node:fs'
import { boxHolds } from 'pliant/detect'
import { describe, expect, it } from 'vitest'
import { PileBodies } from '../../../src/pages/sdf-contact/pile-bodies.js'
import {
  BOX_SIZE,
  CONTACT_SIZE,
  type Frame,
  type HeldBody,
  type PileFiles,
  type PileSettings,
} from '../../../src/pages/sdf-contact/pile-protocol.js'
import { PileStage } from '../../../src/pages/sdf-contact/pile-stage.js'
import { STEP } from '../../../src/shell/simulation/protocol.js'

const artifact = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../public/artifacts/${name}`, import.meta.url)))
const files: PileFiles = {
  bunny: artifact('bunny.safetensors'),
  armadillo: artifact('armadillo.safetensors'),
  ...{ kinds: 'box,torus', count: 2, own: undefined },
}
const bodies = await PileBodies.open(files)
const stageOf = (settings: Partial<PileSettings>): PileStage => new PileStage(bodies, files, settings)

/** The last frame after so many seconds, three steps each. */
function play(stage: PileStage, seconds: number, held?: HeldBody): Frame {
  let frame = stage.advance(0, held, undefined)
  for (let time = 0; time < seconds; time += 3 * STEP) frame = stage.advance(3, held, undefined)
  return frame
}

const placeOf = ({ vertices }: Frame, body: number): number[] => [
  ...vertices.poses.slice(16 * body + 12, 16 * body + 15),
]

it.each(['voxels', 'learned'] as const)('a pile of all kinds of field comes to rest in the tray: %s', (scans) => {
  const stage = stageOf({ kinds: 'bunny,yours,armadillo,cone', count: 4, scans })
  const first = stage.advance(1, undefined, undefined)
  expect(first.pile!.kinds.map(({ name }) => name)).toEqual(['bunny', 'yours', 'armadillo', 'cone'])
  expect(first.pile!.bodies).toEqual([0, 1, 2, 3])
  expect(stage.advance(1, undefined, undefined).pile, 'told once').toBeUndefined()
  const { contacts, energy, spent, time, steps } = play(stage, 4)
  expect(steps).toBe(3)
  expect(time).toBeGreaterThan(4)
  expect(energy.kinetic).toBeLessThan(0.02)
  expect(energy.total).toBeLessThan(0.6 * first.energy.total)
  expect(contacts.pairs).toBeGreaterThanOrEqual(4)
  expect(contacts.deepest).toBeLessThan(2e-3)
  expect(spent.contacts).toBeGreaterThan(0)
  expect(spent.solver).toBeGreaterThan(0)
  expect(spent.broad).toBeGreaterThan(0)
  const half = first.pile!.tray.half
  const last = stage.advance(1, undefined, undefined)
  for (let body = 0; body < 4; body++) {
    const [x, y, z] = placeOf(last, body)
    expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(half)
    expect(y).toBeGreaterThan(0)
  }
})

it('tells forces that hold the weight of what rests', () => {
  const { contacts, pile } = (() => {
    const stage = stageOf({ kinds: 'box', count: 1 })
    const { pile } = stage.advance(1, undefined, undefined)
    return { contacts: play(stage, 3).contacts, pile }
  })()
  expect(pile!.bodies).toEqual([0])
  let up = 0
  for (let at = 0; at < contacts.values.length; at += CONTACT_SIZE) up += contacts.values[at + 7]
  const weight = 500 * 8 * 0.15 * 0.12 * 0.18 * 9.81
  expect(up / weight).toBeCloseTo(1, 1)
  expect(contacts.pushing).toBeGreaterThanOrEqual(3)
})

describe('a body in the hand', () => {
  it('goes where it is pulled, with the others in its way, and falls once let go', () => {
    const stage = stageOf({ kinds: 'ball', count: 2 })
    play(stage, 1.5)
    const held: HeldBody = { body: 0, point: [0, 0.16, 0], target: [0.1, 0.9, 0.1] }
    const lifted = play(stage, 1.5, held)
    const point = [...lifted.pull.slice(0, 3)]
    expect(Math.hypot(...held.target.map((value, k) => value - point[k]))).toBeLessThan(0.05)
    expect([...lifted.pull.slice(3)]).toEqual([...Float64Array.from(Float32Array.from(held.target))])
    expect(placeOf(lifted, 0)[1]).toBeGreaterThan(0.6)
    const after = play(stage, 1)
    expect(after.pull).toHaveLength(0)
    expect(placeOf(after, 0)[1]).toBeLessThan(0.2)
  })

  it('that there is not is left out', () => {
    const stage = stageOf({})
    expect(stage.advance(1, { body: 7, point: [0, 0, 0], target: [0, 1, 0] }, undefined).pull).toHaveLength(0)
  })
})

describe('while time stands still', () => {
  it('nothing moves but by single steps', () => {
    const stage = stageOf({ run: 'off' })
    const first = stage.advance(3, undefined, undefined)
    expect(first.steps).toBe(0)
    expect(stage.advance(3, undefined, undefined).vertices.poses).toEqual(first.vertices.poses)
    stage.command('step')
    const next = stage.advance(3, undefined, undefined)
    expect(next.steps).toBe(1)
    expect(next.time).toBeCloseTo(STEP, 12)
    expect(next.vertices.poses).not.toEqual(first.vertices.poses)
  })

  it('a body is put into another, where contacts and octree cells tell how deep', () => {
    const stage = stageOf({ kinds: 'ball', count: 2, run: 'off', cells: 'on' })
    const before = stage.advance(0, undefined, undefined)
    expect(before.overlap).toBe('none')
    const other = placeOf(before, 1)
    const target = [other[0] - 0.2, other[1], other[2]] as const
    let look = before.overlap
    let frame = before
    for (let n = 0; n < 20; n++) {
      frame = stage.advance(3, { body: 0, point: [0, 0, 0], target }, undefined)
      look = frame.overlap ?? look
    }
    placeOf(frame, 0).forEach((value, k) => {
      expect(value).toBeCloseTo(target[k], 6)
    })
    expect(frame.contacts.deepest).toBeCloseTo(0.12, 3)
    expect(frame.contacts.pushing).toBe(0)
    if (look === 'none' || look === undefined) throw new Error('no overlap was told')
    expect(look.bodies).toEqual([0, 1])
    // Two balls of .16 m, .2 m apart: two caps of .06 m.
    const exact = 2 * ((Math.PI * 0.06 ** 2 * (3 * 0.16 - 0.06)) / 3)
    expect(look.volume[0]).toBeLessThan(exact)
    expect(look.volume[1]).toBeGreaterThan(exact)
    expect(look.counts.inside).toBeGreaterThan(5)
    expect(stage.advance(3, undefined, undefined).overlap, 'as before').toBeUndefined()
  })

  it('a body is put into no wall', () => {
    const stage = stageOf({ kinds: 'ball', count: 1, run: 'off' })
    const { half } = stage.advance(0, undefined, undefined).pile!.tray
    const frame = stage.advance(1, { body: 0, point: [0, 0, 0], target: [3, -2, 0] }, undefined)
    const [x, y] = placeOf(frame, 0)
    expect(x).toBeLessThanOrEqual(half - 0.16)
    expect(y).toBeGreaterThanOrEqual(0.16)
    expect(x, 'but next to it').toBeGreaterThan(half - 0.3)
  })

  it('what was put into another is parted once time goes on', () => {
    const stage = stageOf({ kinds: 'ball', count: 2, run: 'off' })
    const [x, y, z] = placeOf(stage.advance(0, undefined, undefined), 1)
    stage.advance(1, { body: 0, point: [0, 0, 0], target: [x - 0.25, y, z] }, undefined)
    stage.set({ run: 'on' })
    const frame = play(stage, 2)
    expect(frame.contacts.deepest).toBeLessThan(2e-3)
  })
})

describe('bodies in boxes', () => {
  /** Kinds whose boxes are told, frame by frame. */
  const toldBy = (stage: PileStage, frames: number): (number | undefined)[] =>
    Array.from({ length: frames }, () => stage.advance(1, undefined, undefined).boxes?.kind)

  it('are told of one kind a frame, once, and again of another pile', () => {
    const stage = stageOf({ kinds: 'bunny,torus', count: 4, boxes: 'on' })
    expect(toldBy(stage, 4)).toEqual([0, 1, undefined, undefined])
    stage.command('reset')
    expect(toldBy(stage, 1)).toEqual([undefined])
    stage.set({ kinds: 'torus,bunny,mug' })
    expect(toldBy(stage, 4)).toEqual([0, 1, 2, undefined])
  })

  it('are cut only when they are asked for', () => {
    const stage = stageOf({ kinds: 'torus', count: 1 })
    expect(toldBy(stage, 2)).toEqual([undefined, undefined])
    stage.set({ boxes: 'on' })
    expect(toldBy(stage, 2)).toEqual([0, undefined])
  })

  it('hold nearly all points that a body is met by', () => {
    const stage = stageOf({ kinds: 'mug', count: 1, boxes: 'on' })
    const { values } = stage.advance(1, undefined, undefined).boxes!
    expect(values.length / BOX_SIZE).toBeGreaterThan(3)
    const boxes = Array.from({ length: values.length / BOX_SIZE }, (_, i) => {
      const [frame, half] = [
        values.slice(BOX_SIZE * i, BOX_SIZE * i + 16),
        values.slice(BOX_SIZE * i + 16, BOX_SIZE * (i + 1)),
      ]
      return { frame: Float64Array.from(frame), half: [half[0], half[1], half[2]] as const }
    })
    // Others were cut.
    const { points } = bodies.body('mug', 'voxels', '').solid
    let held = 0
    for (let at = 0; at < points.length; at += 3) if (boxes.some((box) => boxHolds(box, points, at))) held++
    expect((3 * held) / points.length).toBeGreaterThan(0.98)
    const volume = boxes.reduce((sum, { half: [x, y, z] }) => sum + 8 * x * y * z, 0)
    const { lower, upper } = bodies.body('mug', 'voxels', '').solid.box
    const single = lower.reduce((product, low, k) => product * (upper[k] - low), 1)
    expect(volume, 'several hold it better than one').toBeLessThan(1.5 * single)
  })
})

describe('settings', () => {
  it('that make no sense are left out', () => {
    const odd = { kinds: 'unicorn', count: 1e9, seed: Number.NaN, friction: -1, scans: 'hope', run: 'walk' }
    expect(stageOf(odd as unknown as PileSettings).settings).toMatchObject({
      ...{ kinds: 'box,torus', count: 20, seed: 1, friction: 0.5, scans: 'voxels', run: 'on' },
    })
    expect(stageOf({ kinds: 'unicorn,nut' }).settings.kinds).toBe('nut')
  })

  it('of surfaces hold for what falls already, and for the tray', () => {
    const stage = stageOf({ kinds: 'ball', count: 1, bounce: 0.8 })
    const highest = (seconds: number): number => {
      let height = 0
      for (let time = 0; time < seconds; time += STEP) {
        height = Math.max(height, placeOf(stage.advance(1, undefined, undefined), 0)[1])
      }
      return height
    }
    play(stage, 0.4)
    expect(highest(0.5), 'bounces').toBeGreaterThan(0.2)
    stage.command('reset')
    stage.set({ bounce: 0 })
    play(stage, 0.4)
    expect(highest(0.5), 'no more').toBeLessThan(0.17)
  })

  it('drop another pile where they change what falls, and the same one again after a reset', () => {
    const stage = stageOf({ kinds: 'nut', count: 2 })
    const first = stage.advance(3, undefined, undefined)
    stage.set({ seed: 7 })
    const turned = stage.advance(3, undefined, undefined)
    expect(turned.pile).toBeDefined()
    expect(turned.vertices.poses).not.toEqual(first.vertices.poses)
    stage.set({ seed: 1, friction: 0.9, bounce: 0.4 })
    stage.advance(3, undefined, undefined)
    stage.command('reset')
    const again = stage.advance(3, undefined, undefined)
    expect(again.time).toBeCloseTo(first.time, 12)
    expect(again.vertices.poses).toEqual(first.vertices.poses)
  })
})

describe('a body of one’s own', () => {
  it('that is none leaves the last one falling, and says why in one line', () => {
    const stage = stageOf({ kinds: 'yours', count: 1, shape: '{ "shape": "unicorn" }' })
    const frame = stage.advance(1, undefined, undefined)
    expect(frame.problem).toMatch(/^shape: there is no shape .*unicorn/)
    expect(frame.problem).not.toContain('\n')
    expect(frame.pile!.kinds[0].name).toBe('yours')
    stage.set({ shape: '{ "shape": "sphere", "radius": 0.2 }' })
    const after = stage.advance(1, undefined, undefined)
    expect(after.problem).toBeUndefined()
    for (let i = 0; i < after.pile!.kinds[0].positions.length; i += 3) {
      expect(Math.hypot(...after.pile!.kinds[0].positions.subarray(i, i + 3))).toBeCloseTo(0.2, 3)
    }
    stage.set({ shape: '{ "shape": "box", "half": [0.3, 1e-7, 0.3] }' })
    expect(stage.advance(1, undefined, undefined).problem).toMatch(/^shape: no surface is found in it; /)
    stage.set({ shape: '{ "shape": "sphere", "radius": 0.2 }' })
    expect(stage.advance(1, undefined, undefined).problem, 'the one of before is right again').toBeUndefined()
  })

  it('comes from a file, written down or a mesh', async () => {
    const ownOf = async (name: string, text: string): Promise<PileStage> => {
      const own = { name, bytes: new TextEncoder().encode(text) }
      return new PileStage(await PileBodies.open({ ...files, own }), { ...files, own }, {})
    }
    const written = await ownOf('egg.json', '{ "shape": "ellipsoid", "radii": [0.1, 0.2, 0.1] }')
    expect(written.settings).toMatchObject({ kinds: 'yours', count: 2 })
    expect(written.settings.shape).toContain('ellipsoid')
    const corners = 'v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\n'
    const mesh = await ownOf('tip.obj', `${corners}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n`)
    expect(mesh.settings.kinds).toBe('file')
    expect(mesh.opened.kinds).toContain('file')
    const { pile } = mesh.advance(1, undefined, undefined)
    expect(pile!.kinds[0].triangles).toHaveLength(12)
    expect(pile!.size, 'as large as the others').toBeCloseTo(0.5, 6)
  })

  it('a file that holds something else is refused in one line', async () => {
    await expect(PileBodies.open({ ...files, bunny: files.armadillo })).rejects.toThrow(
      'SDF contact: the file of the bunny holds something else; run `npm run artifacts`.',
    )
  })
})
