/**
 * Learns a space of shapes from a vertex sequence or a rig, and says how near shapes that it never saw come back through
 * it (docs/notes/shape-space.md). Needs a build.
 *
 * Usage: node scripts/shape-space.mjs [--seed N] [--vertices N] [--poses N] [--set NAME=VALUE ...] FILE.anime|RIG.glb ...
 *   of a sequence, every fourth frame is held out; of a rig, poses of its clips, or of joint ranges if it has none, and as
 *   many again, of other clips, are held out
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { rigFromScene, sampleClip } from '../packages/pliant/dist/character.js'
import { readGltf } from '../packages/pliant/dist/files/index.js'
import { randomStream } from '../packages/pliant/dist/index.js'
import { createCharacter, createShapeSpace, readAnime, weightOfJoints } from '../packages/pliant/dist/unstable.js'
import {
  decimateShapes,
  evaluateShapeSpace,
  jointRanges,
  learnShapeSpace,
  rangeClips,
  takeVertices,
} from '../packages/train/dist/unstable.js'

const { values, positionals: files } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    vertices: { type: 'string', default: '2500' },
    poses: { type: 'string', default: '400' },
    set: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const options = Object.fromEntries(
  values.set
    .map((each) => each.split('='))
    .map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]),
)

for (const file of files) {
  const { triangles, learned, heldOut } = thinned(shapesOf(file))
  const reference = { positions: Float64Array.from(learned[0]), triangles }
  const began = performance.now()
  const data = await learnShapeSpace(reference, learned, options, { seed: Number(values.seed), onProgress: report })
  const seconds = (performance.now() - began) / 1000
  process.stderr.write('\n')
  const quality = await evaluateShapeSpace(data, learned, heldOut)
  const seen = await evaluateShapeSpace(data, learned, learned.slice(0, 50))
  const sizes = data.parts.slice(1).map(({ vertices, codeSize }) => `${vertices.length} (${codeSize})`)
  console.log(
    `${basename(file)}: ${learned[0].length / 3} vertices, ${learned.length} shapes learned, ${heldOut.length} held out, code ${data.bounds.lower.length}, ${seconds.toFixed(0)} s`,
  )
  console.log(`  domains of ${sizes.join(', ')} vertices (code values)`)
  for (const name of ['learned', 'encoded', 'featureComponents', 'vertexComponents', 'roundTrip']) {
    console.log(`  ${name.padEnd(18)} held out ${line(quality[name])}; learned from ${line(seen[name])}`)
  }
  console.log(`  components ${quality.components}`)
  await times(data, heldOut[0])
}

function report({ fraction, stage, detail = '' }) {
  process.stderr.write(`\r${(100 * fraction).toFixed(0)}% ${stage} ${detail}    `)
}

function line({ mean, p95, largest }) {
  return [mean, p95, largest].map((value) => `${(100 * value).toFixed(3)}%`).join(' ')
}

async function times(data, shape) {
  const space = await createShapeSpace(data)
  const code = new Float64Array(space.codeSize)
  const out = new Float64Array(3 * space.vertexCount)
  const points = space.movedPoints([0])
  const works = {
    encode: () => space.encode(shape, code),
    features: () => space.features(code, new Float64Array(3 * out.length)),
    positions: () => space.positions(code, out),
    gradient: () => points.pullBack(code, [1, 0, 0], new Float64Array(space.codeSize)),
  }
  for (const [name, work] of Object.entries(works)) {
    const taken = Array.from({ length: 30 }, () => {
      const start = performance.now()
      work()
      return performance.now() - start
    }).sort((a, b) => a - b)
    console.log(`  ${name} ${taken[15].toFixed(2)} ms (median), ${taken[0].toFixed(2)} (least)`)
  }
}

function shapesOf(file) {
  const bytes = new Uint8Array(readFileSync(file))
  if (!file.endsWith('.glb')) {
    const { triangles, frames } = readAnime(bytes)
    const shapes = frames.map((frame) => Float32Array.from(frame))
    return {
      triangles,
      learned: shapes.filter((_, i) => i % 4 !== 2),
      heldOut: shapes.filter((_, i) => i % 4 === 2),
    }
  }
  const rig = rigFromScene(readGltf(bytes))
  const character = createCharacter(rig)
  const ranges = jointRanges(rig.skeleton, weightOfJoints(character.surface, rig.skeleton.jointCount))
  const made = rangeClips(rig.skeleton, ranges, { seed: 1, train: 40, heldOut: 10 })
  const pose = rig.skeleton.createPose()
  const draw = (clips, count, stream) => {
    const random = randomStream(1, stream)
    return Array.from({ length: count }, (_, i) => {
      const clip = clips[i % clips.length]
      sampleClip(rig.skeleton, clip, clip.duration * random.uniform(), pose)
      const shape = new Float32Array(3 * character.vertexCount)
      character.positionsOfPose(pose, shape)
      return shape
    })
  }
  const count = Number(values.poses)
  const rest = new Float32Array(3 * character.vertexCount)
  character.positionsOfPose(rig.skeleton.createPose(), rest)
  return {
    triangles: character.triangles,
    learned: [rest, ...draw(made.train, count, 0)],
    heldOut: draw(made.heldOut, 100, 1),
  }
}

function thinned({ triangles, learned, heldOut }) {
  const most = Number(values.vertices)
  if (learned[0].length / 3 <= 1.2 * most) return { triangles, learned, heldOut }
  const fewer = decimateShapes({ positions: learned[0], triangles }, most)
  const take = (shape) => takeVertices(shape, fewer.vertices)
  return { triangles: fewer.triangles, learned: learned.map(take), heldOut: heldOut.map(take) }
}
