/**
 * How many exact self-contact labels one core makes a second (docs/notes/self-contact.md), in seconds of processor time, so
 * that what else runs on the machine counts little. Build first.
 *
 * Usage: node scripts/label-speed.mjs [--body NAME] [--modes N] [--codes N] [--before ROOT] [--check N]
 *   --before  a built checkout whose `LinearSelfContact` is timed in turns with ours
 *   --check   codes that are also asked of `SelfIntersection`
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { SelfIntersection } from '../packages/pliant/dist/exact/index.js'
import { findBoundaryPoint, LinearSelfContact, makeBoundaryPoint } from '../packages/pliant/dist/exact/unstable.js'
import { randomStream, surfaceOfTets } from '../packages/pliant/dist/index.js'
import { lumpedMasses, restStiffness } from '../packages/pliant/dist/unstable.js'
import { vibrationModes } from '../packages/train/dist/modes/vibration-modes.js'
import { makeBracelet, makeSnake, makeSpring } from '../packages/train/dist/presets/swept/index.js'
import { sweepTets } from '../packages/train/dist/presets/swept/sweep.js'

const { values: options } = parseArgs({
  options: {
    body: { type: 'string', multiple: true, default: ['bracelet', 'spring', 'snake'] },
    modes: { type: 'string', multiple: true, default: ['3', '7'] },
    codes: { type: 'string', default: '2000' },
    before: { type: 'string' },
    check: { type: 'string', default: '0' },
  },
})

/** The bracelet, swept finer. */
function fineBracelet(along, across) {
  const curve = (s) => {
    const angle = 0.35 + s * (2 * Math.PI - 0.7)
    return { at: [0.05 * Math.cos(angle), 0, 0.05 * Math.sin(angle)], radius: 0.004 }
  }
  return sweepTets({ curve, along, across })
}

const BODIES = {
  bracelet: makeBracelet,
  spring: makeSpring,
  snake: makeSnake,
  'bracelet-6k': () => fineBracelet(180, 4),
  'bracelet-17k': () => fineBracelet(264, 8),
}

/** Codes asked before the clock runs, so that everything is compiled. */
const WARM = 200

const material = { density: 1000, young: 1e6, poisson: 0.4 }

/** Vibrations of a body, each reaching .4 of the diagonal over the square root of its frequency; codes from -1 to 1. */
function shapeOf(name, count) {
  const mesh = BODIES[name]()
  const surface = surfaceOfTets(mesh)
  const { modes, eigenvalues } = vibrationModes(restStiffness(mesh, material), lumpedMasses(mesh, material.density), {
    count,
    // Long thin bodies of many nodes end just above the default; the modes are as good for a measurement.
    tolerance: 1e-5,
  })
  const rest = surface.positions
  const [lower, upper] = [Math.min, Math.max].map((of) =>
    [0, 1, 2].map((axis) => rest.filter((_, i) => i % 3 === axis).reduce((a, b) => of(a, b))),
  )
  const diagonal = Math.hypot(...upper.map((value, axis) => value - lower[axis]))
  const scaled = new Float64Array(count * rest.length)
  for (let k = 0; k < count; k++) {
    let most = 0
    for (let v = 0; v < surface.nodeOfVertex.length; v++) {
      const o = k * mesh.positions.length + 3 * surface.nodeOfVertex[v]
      most = Math.max(most, Math.hypot(modes[o], modes[o + 1], modes[o + 2]))
    }
    // Frequency is the root of the eigenvalue, relative to the first.
    const reach = (0.4 * diagonal) / Math.sqrt(Math.sqrt(eigenvalues[k] / eigenvalues[0]))
    for (let v = 0; v < surface.nodeOfVertex.length; v++) {
      for (let axis = 0; axis < 3; axis++) {
        const from = k * mesh.positions.length + 3 * surface.nodeOfVertex[v] + axis
        scaled[k * rest.length + 3 * v + axis] = (modes[from] * reach) / most
      }
    }
  }
  const end = (value) => new Float64Array(count).fill(value)
  return { rest, modes: scaled, triangles: surface.triangles, bounds: { lower: end(-1), upper: end(1) } }
}

const timed = (work) => {
  const start = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(start)
  return { result, seconds: (user + system) / 1e6 }
}

const contacts = async () => {
  if (!options.before) return LinearSelfContact
  const path = join(resolve(options.before), 'packages/pliant/dist/exact/unstable.js')
  return (await import(pathToFileURL(path).href)).LinearSelfContact
}
const Before = await contacts()
const count = Number(options.codes)
const rows = []
for (const name of options.body) {
  for (const size of options.modes.map(Number)) {
    const shape = shapeOf(name, size)
    const random = randomStream(1)
    const codes = Float32Array.from({ length: (count + WARM) * size }, () => random.between(-1, 1))
    const rowAt = (i) => codes.subarray(i * size, (i + 1) * size)
    const { result: contact, seconds: making } = timed(() => new LinearSelfContact(shape))
    const out = new Int8Array(count)
    contact.touchesAll(codes.subarray(count * size), WARM, new Int8Array(WARM))
    const batch = timed(() => contact.touchesAll(codes.subarray(0, count * size), count, out))
    /** Labels a second, asked one by one, which must be those of the batch. */
    const oneByOne = (asked) => {
      const tries = Math.ceil(count / 4)
      for (let i = 0; i < WARM; i++) asked.touches(rowAt(count + i))
      const { seconds } = timed(() => {
        for (let i = 0; i < tries; i++) if (asked.touches(rowAt(i)) !== (out[i] === 1)) throw new Error(`code ${i}`)
      })
      return Math.round(tries / seconds)
    }
    const row = {
      body: name,
      triangles: shape.triangles.length / 3,
      modes: size,
      'touching %': Math.round((100 * out.reduce((sum, one) => sum + one, 0)) / count),
      'made in s': making.toFixed(2),
      'labels/s': Math.round(count / batch.seconds),
      'one by one': oneByOne(contact),
      'plain code': oneByOne(new LinearSelfContact(shape, { kernel: 'scalar' })),
    }
    if (options.before) {
      const { result: before, seconds } = timed(() => new Before(shape))
      row['before: made in s'] = seconds.toFixed(2)
      row['before: labels/s'] = oneByOne(before)
    }
    const free = [...out.keys()].filter((i) => out[i] === 0)
    const touching = [...out.keys()].filter((i) => out[i] === 1).slice(0, 200)
    if (free.length > 0 && touching.length > 0) {
      const point = makeBoundaryPoint(size)
      const search = timed(() => {
        touching.forEach((i, k) => {
          findBoundaryPoint(contact, rowAt(free[k % free.length]), rowAt(i), point)
        })
      })
      row['boundary points/s'] = Math.round(touching.length / search.seconds)
    }
    if (Number(options.check) > 0) {
      const whole = new SelfIntersection({ positions: shape.rest, triangles: shape.triangles })
      for (let i = 0; i < Math.min(count, Number(options.check)); i++) {
        contact.moveTo(rowAt(i))
        whole.update(contact.positions)
        if (whole.any() !== (out[i] === 1)) throw new Error(`${name}, ${size} modes, code ${i}: ${out[i]}`)
      }
      row['checked'] = Math.min(count, Number(options.check))
    }
    rows.push(row)
    console.error(JSON.stringify(row))
  }
}
console.table(rows)
