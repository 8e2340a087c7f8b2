import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decode, load } from 'pliant'
import type { SkeletonPose } from 'pliant/character'
import { quaternionOfVector } from 'pliant/unstable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bvhText } from '../bvh-text.js'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const POINTS = Float64Array.of(0, 0.5, 0, 0.2, 1.4, 0.3, 0.1, 2.2, 0.5, -0.5, 1.8, 0.2)
/** Degrees about x at a frame, of root, middle and tip. */
const ANGLES = (frame: number) => [30, 12 * frame, 6 * frame]
const PLACE = (frame: number) => [0.5 * frame, 2, -1]

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
  const joints = ['root', 'middle', 'tip'].map((name, i) => ({ name, parent: i - 1, offset: [0, i === 0 ? 0 : 1, 0] }))
  const frames = [0, 1, 2, 3].map((frame) => ANGLES(frame).map((x) => [0, x, 0]))
  writeFileSync(folder.file('bend.bvh'), bvhText(joints, frames, 0.1, PLACE))
  saveNpy(folder.file('P.npy'), POINTS, [4, 3])
  const trained = await run('train', 'hero.glb', '--out', 'hero.safetensors', '--poses', '6', '--steps', '3', '--quiet')
  expect(trained.code, trained.stderr).toBe(0)
  const both = await run('export', 'hero.safetensors', '--gltf', 'both.glb', '--into', 'hero.glb')
  expect(both.code, both.stderr).toBe(0)
})
afterAll(folder.remove)

/** What the field itself answers at a frame of the motion, points in its root frame. */
async function byHand(points: Float64Array, angles: readonly number[]) {
  const artifact = await decode(new Uint8Array(readFileSync(folder.file('hero.safetensors'))), 'character')
  const field = await load(artifact)
  const pose: SkeletonPose = artifact.character.skeleton.createPose()
  angles.forEach((degrees, joint) => {
    quaternionOfVector([(degrees * Math.PI) / 180, 0, 0], 0, pose.rotations, 4 * joint)
  })
  field.update(field.skeleton.stateOf(pose))
  const [distances, gradients] = [new Float64Array(points.length / 3), new Float64Array(points.length)]
  field.query(points, points.length / 3, distances, gradients)
  field.dispose()
  return { distances, gradients }
}

async function ask(file: string, ...words: string[]) {
  const asked = await run('query', file, ...words, '--out', 'D.npy', '--gradients', 'G.npy', '--json')
  expect(asked.code, asked.stderr).toBe(0)
  const [distances, gradients] = ['D.npy', 'G.npy'].map((name) => loadNpy(folder.file(name)).data as Float64Array)
  return { distances, gradients, json: JSON.parse(asked.stdout) }
}

const expectSame = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length)
  for (let i = 0; i < a.length; i++) expect(a[i]).toBeCloseTo(b[i], 5)
}

describe('a character at a moment of a motion', () => {
  it('is asked in its root frame by default, every joint posed', async () => {
    const asked = await ask('hero.safetensors', '--motion', 'bend.bvh', '--time', '0.2', '--points', 'P.npy')
    expect(asked.json.state).toMatchObject({ by: 'motion', time: 0.2, frame: 'root', clip: 'bend', share: 1 })
    const own = await byHand(POINTS, ANGLES(2))
    expectSame(asked.distances, own.distances)
    expectSame(asked.gradients, own.gradients)
    // Another moment is another shape.
    const other = await ask('hero.safetensors', '--motion', 'bend.bvh', '--points', 'P.npy')
    expect(Math.abs(other.distances[2] - asked.distances[2])).toBeGreaterThan(0.01)
  })

  it('is asked in the world, where the clip carries its root', async () => {
    const [sine, cosine] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)]
    const turned = ([x, y, z]: number[]) => [x, cosine * y - sine * z, sine * y + cosine * z]
    const world = Float64Array.from({ length: POINTS.length }, () => 0)
    for (let i = 0; i < POINTS.length; i += 3) {
      turned([...POINTS.subarray(i, i + 3)]).forEach((value, k) => {
        world[i + k] = value + PLACE(2)[k]
      })
    }
    saveNpy(folder.file('W.npy'), world, [4, 3])
    const words = ['--motion', 'bend.bvh', '--time', '0.2', '--frame', 'world']
    const asked = await ask('hero.safetensors', ...words, '--points', 'W.npy')
    const own = await byHand(POINTS, ANGLES(2))
    expectSame(asked.distances, own.distances)
    for (let i = 0; i < POINTS.length; i += 3) {
      expectSame(asked.gradients.subarray(i, i + 3), turned([...own.gradients.subarray(i, i + 3)]))
    }
  })

  it('takes the clips of a GLB that carries it', async () => {
    const asked = await ask('both.glb', '--clip', 'x', '--time', '1', '--points', 'P.npy')
    expectSame(asked.distances, (await byHand(POINTS, [0, 60, 30])).distances)
  })

  it('refuses what cannot be in one line', async () => {
    saveNpy(folder.file('Z.npy'), Float64Array.of(0))
    const common = ['--points', 'P.npy', '--out', 'x.npy']
    const cases: [string[], RegExp][] = [
      [['hero.safetensors', '--clip', 'x'], /hero\.safetensors holds no clips; pass --motion/],
      [['both.glb', '--clip', 'walk'], /has no clip 'walk'; choose from x, z/],
      [['hero.safetensors', '--motion', 'hero.glb'], /hero\.glb has 2 clips; choose one with --clip: x, z/],
      [['hero.safetensors', '--motion', 'bend.bvh', '--time', '9'], /--time is 9, clip 'bend' goes from 0 to 0\.3 s/],
      [['hero.safetensors', '--motion', 'bend.bvh', '--code', 'Z.npy'], /each say the shape; pass one/],
      [['hero.safetensors', '--code', 'Z.npy', '--frame', 'world'], /--frame goes with --motion or --clip/],
      [['hero.safetensors', '--motion', 'bend.bvh', '--backend', 'ort'], /--backend ort takes a code alone/],
      [['hero.safetensors', '--nodes', 'P.npy'], /--nodes is for soft bodies/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run('query', ...words, ...common)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
    expect(existsSync(folder.file('x.npy'))).toBe(false)
  })
})

describe('a soft body where its nodes are', async () => {
  const bunny = fileURLToPath(new URL('../../../../apps/studio/public/artifacts/bunny.safetensors', import.meta.url))
  const { body } = await decode(new Uint8Array(readFileSync(bunny)), 'elastic-body')
  const rest = Float64Array.from(body!.mesh.positions)

  it('answers as at rest, carried along with them', async () => {
    const away = [3, -2, 5]
    const points = Float64Array.from({ length: 30 }, (_, i) => rest[3 * 7 * Math.floor(i / 3) + (i % 3)] * 1.05)
    const shift = (values: Float64Array) => values.map((value, i) => value + away[i % 3])
    saveNpy(folder.file('B.npy'), points, [10, 3])
    saveNpy(folder.file('C.npy'), shift(points), [10, 3])
    saveNpy(folder.file('X.npy'), rest, [rest.length / 3, 3])
    saveNpy(folder.file('Y.npy'), shift(rest), [rest.length / 3, 3])
    const still = await ask(bunny, '--nodes', 'X.npy', '--points', 'B.npy')
    expect(still.json.state).toEqual({ by: 'nodes' })
    const moved = await ask(bunny, '--nodes', 'Y.npy', '--points', 'C.npy')
    expectSame(moved.distances, still.distances)
    saveNpy(folder.file('S.npy'), rest.subarray(3), [rest.length / 3 - 1, 3])
    const short = await run('query', bunny, '--nodes', 'S.npy', '--points', 'B.npy', '--out', 'x.npy')
    expect(short.stderr).toMatch(/S\.npy: nodes have shape \[\d+, 3\]; .* needs \[\d+, 3\], in its own order/)
    expect(short.code).toBe(2)
  })
})
