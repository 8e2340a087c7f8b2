/** Scenes that are wrong: each ends in one line that names the body, the value and the remedy. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formBodies } from '../../src/contact/bodies.js'
import { readScene } from '../../src/contact/scene.js'
import { EXIT, exitCodeOf } from '../../src/errors.js'
import { CUBE_OBJ, saveNpy } from '../npy.js'
import { temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const BAR = fileURLToPath(new URL('../../../../apps/studio/public/artifacts/bar.safetensors', import.meta.url))
beforeAll(() => {
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  writeFileSync(folder.file('text.obj'), 'hello')
  saveNpy(folder.file('Z.npy'), Float64Array.of(0, 0, Number.NaN), [3])
})
afterAll(folder.remove)

const sphere = { shape: { shape: 'sphere', radius: 1 } }
const GROUND = { name: 'ground', shape: { shape: 'half-space', normal: [0, 1, 0] } }
const bodies = (...given: unknown[]) => ({ bodies: given })
const pair = (more: object) => bodies({ ...sphere, ...more }, { name: 'other', ...sphere })

/** Reads the scene and all of its files, and finds points of all surfaces. */
async function form(scene: unknown): Promise<void> {
  const read = readScene('scene.json', scene)
  const formed = await formBodies('scene.json', folder.path, read.bodies, {
    signal: new AbortController().signal,
    progress: { update() {}, note() {}, warn() {}, done() {} },
    unbroken: (work) => work(),
  })
  for (const { form } of formed) form.solid()
}

it('reads what is right, names bodies that have none, and makes one field of those that are alike', async () => {
  const { bodies: read, frames, gap } = readScene('scene.json', { gap: 0.1, ...pair({ at: [1, 2, 3], margin: 0.5 }) })
  expect([frames, gap]).toEqual([1, 0.1])
  expect(read.map(({ name, margin }) => [name, margin])).toEqual([
    ['body 1', 0.5],
    ['other', 0],
  ])
  expect([...read[0].poses[0]]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1])
  const call = { signal: new AbortController().signal, unbroken: <T>(work: () => T) => work() }
  const progress = { update() {}, note() {}, warn() {}, done() {} }
  const [a, b] = await formBodies('scene.json', '.', read, { ...call, progress })
  expect(a.form).toBe(b.form)
})

describe('a scene is refused in one line:', () => {
  const eye = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  const frameWith = (index: number, value: number) => pair({ frame: eye.map((old, i) => (i === index ? value : old)) })
  const apart = { shape: 'intersection', of: [sphere.shape, { ...sphere.shape, at: [3, 0, 0] }] }
  const bar = (more: object) => bodies({ trained: BAR, ...more }, sphere)
  it.each<[string, unknown, RegExp]>([
    ['no object', [1], /^scene\.json: is Array of 1; give an object in braces\.$/],
    ['no bodies', {}, /bodies is missing; give a list/],
    ['no body', bodies(), /bodies has 0 of them; give two or more/],
    ['one body', bodies(sphere), /bodies has 1 of them; give two or more/],
    ['a body that is none', bodies(sphere, 7), /scene\.json: body 2: is 7; give an object/],
    ['an unknown key', { bodies: [sphere, sphere], gravity: 9 }, /there is no 'gravity' here; leave it out\.$/],
    ['a misspelt key', pair({ trun: [0, 0, 0, 1] }), /body 'body 1': there is no 'trun' here; did you mean 'turn'\?$/],
    ['a key of another kind', pair({ code: [1] }), /there is no 'code' here/],
    ['a name twice', bodies({ name: 'a', ...sphere }, { name: 'a', ...sphere }), /bodies 1 and 2 are both called 'a'/],
    ['a name of nothing', pair({ name: ' ' }), /name is ' '; give a name/],
    ['no shape', bodies({}, sphere), /body 'body 1': has no shape; give 'shape'/],
    ['two shapes', pair({ mesh: 'cube.obj' }), /has 'shape' and 'mesh'; keep one of them/],
    ['an unknown shape', pair({ shape: { shape: 'ball' } }), /body 'body 1': shape: there is no shape 'ball'; choose/],
    ['a shape in words', pair({ shape: 'sphere' }), /body 'body 1': shape: 'sphere' is no shape; give an object/],
    [
      'a shape that is empty',
      pair({ shape: apart }),
      /body 'body 1': .*no surface in the box, all of which is outside/,
    ],
    [
      'a radius of zero',
      pair({ shape: { shape: 'sphere', radius: 0 } }),
      /body 'body 1': shape: .* is 0; give a positive/,
    ],
    ['sizes beyond numbers', pair({ shape: { shape: 'sphere', radius: 1e200 } }), /the field answers Infinity at/],
    ['a missing file', bodies({ mesh: 'none.obj' }, sphere), /none\.obj: there is no such file/],
    ['a folder as a file', bodies({ mesh: '.' }, sphere), /it is a folder; name a file in it/],
    ['a mesh of nothing', bodies({ mesh: 'text.obj' }, sphere), /text\.obj/],
    ['an artifact as a mesh', bodies({ mesh: BAR }, sphere), /is a trained artifact, not a mesh/],
    ['a mesh as an artifact', bodies({ trained: 'cube.obj' }, sphere), /cube\.obj is not a trained artifact/],
    ['no code', bar({}), /body 'body 1': 'code' is missing; add it/],
    ['a code too short', bar({ code: [1] }), /body 'body 1': code has 1 values, .* needs 3; 'pliant inspect/],
    ['a code of words', bar({ code: ['a', 1, 2] }), /code\[0\] is 'a'; give a list of finite numbers/],
    ['a code file with NaN', bar({ code: 'Z.npy' }), /body 'body 1': .*Z\.npy: code\[2\] is NaN/],
    ['a code and nodes', bar({ code: [0, 0, 0], nodes: 'X.npy' }), /'code', 'nodes' and 'motion' .*pass one of them/],
    ['nodes of what has none', bar({ nodes: 'X.npy' }), /body 'body 1': 'nodes' is for soft bodies/],
    ['a place that is no number', pair({ at: [0, null, 0] }), /at\[1\] is null; give 3 finite numbers/],
    ['a place of two numbers', pair({ at: [0, 0] }), /at is Array of 2; give 3 finite numbers/],
    ['a turn of nothing', pair({ turn: [0, 0, 0, 0] }), /turn has no length/],
    ['an axis of nothing', pair({ turn: { axis: [0, 0, 0], degrees: 9 } }), /body 'body 1': turn: axis has no length/],
    ['a turn without degrees', pair({ turn: { axis: [0, 1, 0] } }), /turn: degrees is missing/],
    ['a mirrored frame', frameWith(0, -1), /body 'body 1': frame mirrors; give a rigid one/],
    [
      'a scaled frame',
      pair({ frame: eye.map((old, i) => (i < 15 ? 2 * old : old)) }),
      /frame scales by 2; give a rigid one/,
    ],
    ['a sheared frame', frameWith(4, 0.1), /frame shears, or scales its axes unevenly/],
    ['a frame of perspective', frameWith(3, 1), /frame is no rigid motion; give 16 numbers column by column/],
    ['a frame of 12 numbers', pair({ frame: eye.slice(4) }), /frame is Array of 12; give 16 finite numbers/],
    ['a frame and a place', pair({ at: [0, 0, 0], frame: eye }), /has 'frame' and 'at', which say the same/],
    ['no frames', pair({ frames: [] }), /frames is empty/],
    ['frames and a place', pair({ frames: [{}], at: [0, 0, 0] }), /has 'at' beside 'frames'/],
    ['a frame with more', pair({ frames: [{ shape: 1 }] }), /body 'body 1': frame 0: there is no 'shape' here/],
    [
      'frames of other lengths',
      bodies({ ...sphere, frames: [{}, {}] }, { ...sphere, frames: [{}, {}, {}] }),
      /'body 1' has 2 frames, 'body 2' 3; give as many/,
    ],
    ['a gap below zero', { gap: -1, ...pair({}) }, /scene\.json: gap is -1; give a finite number from 0 up/],
    ['a margin below zero', pair({ margin: -1 }), /margin is -1; give a finite number from 0 up/],
    ['a scale of zero', bodies({ mesh: 'cube.obj', scale: 0 }, sphere), /scale is 0; give metres per unit/],
    ['too many voxels', pair({ voxels: 1e9 }), /voxels is 1000000000; give a whole number from 8 to 256/],
    [
      'voxels of the ground',
      bodies({ ...GROUND, voxels: 32 }, sphere),
      /body 'ground': .*without an end; leave 'voxels'/,
    ],
  ])('%s', async (_, scene, message) => {
    const error = await form(scene).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error?.message).toMatch(message)
    expect(error?.message).not.toMatch(/\n|body '[^']*': .*body '/)
    expect(exitCodeOf(error)).toBe(EXIT.usage)
  })
})
