/**
 * Time of frames of trained fields that deform, pose and queries with gradients, near the surface, on one core: `node
 * scripts/pose-speed.mjs --before ROOT [--file NAME] [--turns N]`, where ROOT is a built checkout to compare with, asked in
 * shuffled turns in the same run. NAME is one of the studio's: bunny (posed by its nodes; the default) or humanoid (by its
 * code). Also how far the answers are apart.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    before: { type: 'string', default: '.' },
    file: { type: 'string', default: 'bunny' },
    turns: { type: 'string', default: '200' },
  },
})
const MOST = 8192
/** About as long as a turn lasts [us]: short, so that some are not interrupted. */
const TURN = 400

const bytes = new Uint8Array(readFileSync(`apps/studio/public/artifacts/${options.file}.safetensors`))
const builds = []
for (const [name, root] of [
  ['before', options.before],
  ['now', '.'],
]) {
  const pliant = await import(pathToFileURL(resolve(root, 'packages/pliant/dist/index.js')).href)
  const field = await pliant.load(bytes.slice(), { threads: 1 })
  builds.push({ name, pliant, field, distances: new Float64Array(MOST), gradients: new Float64Array(3 * MOST) })
}
const [{ pliant, field: reference }] = builds
const random = pliant.randomStream(1)
const { body } = await pliant.decode(bytes.slice())
const states = Array.from({ length: 6 }, () => {
  const code = Float64Array.from({ length: reference.codeSize }, () => random.between(-0.1, 0.1))
  if (!body?.modal) return { code }
  const nodes = new Float64Array(body.modal.rest.length)
  const spread = 0.05 / body.modal.modes.reduce((most, value) => Math.max(most, value), 0)
  body.modal.positions(
    code.map((value) => spread * value),
    nodes,
  )
  return { nodes }
})
const points = pointsNear(reference, states[0])

compareAnswers()
const query = ({ field, distances, gradients }, count, step) => {
  const first = 3 * ((61 * count * step) % (MOST - count + 1))
  field.query(points.subarray(first, first + 3 * count), count, distances, gradients)
}
race('update', TURN / 10, ({ field }, step) => field.update(states[step % 6]))
for (const count of [1, 16, 128, 1024, MOST]) {
  race(`update and ${count} points`, TURN / (10 + count / 3), (build, step) => {
    build.field.update(states[step % 6])
    query(build, count, step)
  })
}
for (const count of [1, 128, 1024])
  race(`${count} points again`, (3 * TURN) / count, (b, step) => query(b, count, step))
for (const { field } of builds) field.dispose()

/** Points of the body's box, carried to the surface and up to 1.5% of its diagonal off it. */
function pointsNear(field, state) {
  field.update(state)
  const from = state.nodes ?? [-0.8, 0, -0.3, 0.8, 1.8, 0.3]
  const [lower, upper] = [Math.min, Math.max].map((of) =>
    [0, 1, 2].map((axis) => from.reduce((best, value, i) => (i % 3 === axis ? of(best, value) : best), from[axis])),
  )
  const near = Float64Array.from({ length: 3 * MOST }, (_, i) => random.between(lower[i % 3], upper[i % 3]))
  const [distances, gradients] = [new Float64Array(MOST), new Float64Array(3 * MOST)]
  for (let step = 0; step < 30; step++) {
    field.query(near, MOST, distances, gradients)
    for (let i = 0; i < 3 * MOST; i++) near[i] -= 0.7 * distances[Math.floor(i / 3)] * gradients[i]
  }
  const off = 0.015 * Math.hypot(...upper.map((value, axis) => value - lower[axis]))
  return near.map((value) => value + random.between(-off, off))
}

function compareAnswers() {
  let most = 0
  for (const state of states) {
    for (const { field, distances, gradients } of builds) {
      field.update(state)
      field.query(points, MOST, distances, gradients)
    }
    builds[0].distances.forEach((value, i) => {
      most = Math.max(most, Math.abs(value - builds[1].distances[i]))
    })
  }
  console.log(`${options.file}, ${builds[1].field.network.backend}: distances at most ${most} m apart`)
}

/** The quietest tenth of the turns: others use the machine, too. */
function race(what, often, act) {
  const calls = Math.max(1, Math.round(often))
  const times = builds.map(() => [])
  let step = 0
  for (let warm = 0; warm < 3000 && warm < 300 * calls; warm++) for (const build of builds) act(build, step++)
  for (let turn = 0; turn < Number(options.turns); turn++) {
    const first = random.below(2)
    for (const which of [first, 1 - first]) {
      const begun = performance.now()
      for (let call = 0; call < calls; call++) act(builds[which], step++)
      times[which].push(((performance.now() - begun) * 1000) / calls)
    }
  }
  const [before, now] = times.map((own) => own.sort((a, b) => a - b)[Math.floor(own.length / 10)])
  const gain = (before / now).toFixed(2)
  console.log(`${what.padEnd(24)} before ${before.toFixed(2)} us, now ${now.toFixed(2)} us, ${gain} times faster`)
}
