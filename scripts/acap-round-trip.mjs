/**
 * Shapes of a vertex sequence, or of a rig, to ACAP features and back: how far vertices end from where they were (root
 * mean square over the diagonal of the box of the first shape, which is the reference), how much neighbouring rotations
 * differ, and what it takes (docs/notes/acap.md). Needs a build.
 *
 * Usage: node scripts/acap-round-trip.mjs [--fit-weight N] FILE.anime|RIG.glb ...
 *   of a rig: its rest shape and 60 poses of its clips, or as many of random joint angles if it has none; seed 1
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { rigFromScene, sampleClip } from '../packages/pliant/dist/character.js'
import { readGltf } from '../packages/pliant/dist/files/index.js'
import { randomStream } from '../packages/pliant/dist/index.js'
import {
  ACAP_INVERSE_DEFAULTS,
  AcapFeatures,
  AcapInverse,
  boxDiagonal,
  createCharacter,
  edgeTable,
  meshBox,
  quaternionOfVector,
  readAnime,
} from '../packages/pliant/dist/unstable.js'

const { values: options, positionals: files } = parseArgs({
  options: { 'fit-weight': { type: 'string', default: String(ACAP_INVERSE_DEFAULTS.fitWeight) } },
  allowPositionals: true,
})

for (const file of files) {
  const { triangles, frames } = shapesOf(file)
  const reference = { positions: frames[0], triangles }
  const diagonal = boxDiagonal(meshBox(reference))
  const edges = edgeTable(triangles, frames[0].length / 3)
  const began = performance.now()
  const acap = new AcapFeatures(reference)
  const built = performance.now()
  const inverse = new AcapInverse(reference, { fitWeight: Number(options['fit-weight']) })
  const factorised = performance.now()
  const features = new Float64Array(acap.size)
  const positions = new Float64Array(frames[0].length)
  const gradient = new Float64Array(acap.size)
  const frame = new Float64Array(16)
  const times = { encode: [], positions: [], gradient: [] }
  const errors = []
  const farApart = { all: 0, needless: 0 }
  let largestAngle = 0
  for (const shape of frames) {
    timed(times.encode, () => acap.encode(shape, features, frame))
    timed(times.positions, () => inverse.positions(features, positions))
    timed(times.gradient, () => inverse.positionsGradient(features, positions, gradient))
    errors.push(rms(carried(frame, positions), shape) / diagonal)
    addFarApart(edges, features, farApart)
    for (let at = 0; at < features.length; at += 9) {
      largestAngle = Math.max(largestAngle, Math.hypot(...features.subarray(at, at + 3)))
    }
  }
  console.log(`${basename(file)}: ${acap.vertexCount} vertices, ${frames.length} frames`)
  console.log(`  rms error / diagonal: median ${median(errors).toExponential(2)}, worst ${worst(errors)}`)
  console.log(`  largest angle ${largestAngle.toFixed(2)} rad`)
  console.log(
    `  edges across which vectors differ by more than pi: ${farApart.all}, with rotations less than 1 rad apart: ${farApart.needless}`,
  )
  console.log(`  last frame, features off by 0.02: ${noise(inverse, features, edges, diagonal)}`)
  console.log(`  construct features ${ms(built - began)}, inverse ${ms(factorised - built)}`)
  for (const [name, each] of Object.entries(times)) {
    console.log(`  ${name} ${ms(median(each))} (median), ${ms(Math.min(...each))} (least)`)
  }
}

function shapesOf(file) {
  const bytes = new Uint8Array(readFileSync(file))
  if (!file.endsWith('.glb')) return readAnime(bytes)
  const rig = rigFromScene(readGltf(bytes))
  const character = createCharacter(rig)
  const pose = rig.skeleton.createPose()
  const random = randomStream(1)
  const { lower, upper } = character.bounds
  const frames = Array.from({ length: 61 }, (_, i) => {
    const clip = rig.clips[i % Math.max(1, rig.clips.length)]
    if (i > 0 && clip) sampleClip(rig.skeleton, clip, clip.duration * random.uniform(), pose)
    const shape = new Float64Array(3 * character.vertexCount)
    const code = lower.map((least, k) => random.between(least, upper[k]))
    if (i > 0 && !clip) character.positions(code, shape)
    else character.positionsOfPose(pose, shape)
    return shape
  })
  return { triangles: character.triangles, frames }
}

function timed(times, work) {
  const start = performance.now()
  work()
  times.push(performance.now() - start)
}

function ms(time) {
  return `${time.toFixed(1)} ms`
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function worst(errors) {
  const most = Math.max(...errors)
  return `${most.toExponential(2)} (frame ${errors.indexOf(most)})`
}

function rms(a, b) {
  return Math.sqrt((3 / a.length) * a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0))
}

function carried(m, points) {
  return points.map((_, i) => {
    const [row, at] = [i % 3, i - (i % 3)]
    return m[row] * points[at] + m[4 + row] * points[at + 1] + m[8 + row] * points[at + 2] + m[12 + row]
  })
}

/** Edges across which rotation vectors differ by more than pi, and those of them across which rotations hardly do. */
function addFarApart({ vertices }, features, counts) {
  const quaternions = new Float64Array(8)
  for (let at = 0; at < vertices.length; at += 2) {
    const [a, b] = [0, 1].map((k) => vectorOf(features, vertices[at + k]))
    if (Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) <= Math.PI) continue
    counts.all++
    quaternionOfVector(a, 0, quaternions, 0)
    quaternionOfVector(b, 0, quaternions, 4)
    const cosine = [0, 1, 2, 3].reduce((sum, k) => sum + quaternions[k] * quaternions[4 + k], 0)
    if (2 * Math.acos(Math.min(1, Math.abs(cosine))) < 1) counts.needless++
  }
}

function vectorOf(features, v) {
  return [-features[9 * v + 2], features[9 * v + 1], -features[9 * v]]
}

/** How far a shape moves where its features are off by 0.02, over the diagonal; and its edges, over their own lengths. */
function noise(inverse, features, { vertices }, diagonal) {
  const random = randomStream(1)
  const clean = new Float64Array(3 * inverse.vertexCount)
  const noisy = clean.slice()
  inverse.positions(features, clean)
  inverse.positions(
    features.map((value) => value + 0.02 * random.normal()),
    noisy,
  )
  let [changed, length] = [0, 0]
  for (let i = 0; i < 1.5 * vertices.length; i++) {
    const [a, b] = [0, 1].map((end) => 3 * vertices[2 * Math.trunc(i / 3) + end] + (i % 3))
    changed += (noisy[a] - noisy[b] - clean[a] + clean[b]) ** 2
    length += (clean[a] - clean[b]) ** 2
  }
  const moved = (rms(noisy, clean) / diagonal).toExponential(2)
  return `rms ${moved} of the diagonal, edges ${Math.sqrt(changed / length).toFixed(3)} of their length`
}
