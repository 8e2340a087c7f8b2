/**
 * The paper's collision detector and its two baselines on a rigged character, from equally many labels each: right answers and
 * missed contacts on unseen codes, and exact labels a second (docs/notes/collision-state.md). Build first.
 *
 * Usage: node scripts/collision-state.mjs RIG [--modes LIST] [--labels N] [--codes N] [--effort SHARE] [--seed N] [--threads N]
 *   --modes   of supervised,supervised-boundary,active-boundary
 *   --effort  share of the paper's epochs
 */
import { parseArgs } from 'node:util'
import { NEIGHBOUR_DEFAULTS } from '../packages/pliant/dist/exact/index.js'
import { SelfContactField } from '../packages/pliant/dist/learned/self-contact.js'
import { CollisionDetector } from '../packages/pliant/dist/unstable.js'
import { measureSelfContact } from '../packages/train/dist/evaluate/self-contact.js'
import { ContactPool, posedContacts } from '../packages/train/dist/label/index.js'
import {
  COLLISION_STATE_LEARNING,
  INITIAL_SHARE,
} from '../packages/train/dist/learn/collision-state/collision-state-options.js'
import { learnCollisionState } from '../packages/train/dist/learn/collision-state/learn-collision-state.js'
import { codesOfPoses } from '../packages/train/dist/poses/codes-of-poses.js'
import { streamOf } from '../packages/train/dist/streams/random-streams.js'
import { contactCharacter } from '../packages/train/dist/train/character-contact.js'
import { loadSubject, readSpec } from '../packages/train/dist/train/subjects.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'string', default: 'supervised,supervised-boundary,active-boundary' },
    labels: { type: 'string', default: '8000' },
    codes: { type: 'string', default: '5000' },
    effort: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
  },
})
const [labels, codes, effort, seed, threads] = ['labels', 'codes', 'effort', 'seed', 'threads'].map((name) =>
  Number(options[name]),
)

const rig = positionals[0] ?? 'humanoid'
const read = await loadSubject(readSpec(JSON.stringify({ model: { rig }, learn: 'self-contact' })))
const { character, poses, judges } = contactCharacter(read, { ...NEIGHBOUR_DEFAULTS })
const source = posedContacts(character, codesOfPoses(character, poses))
const unseen = posedContacts(character, codesOfPoses(character, judges))

const pool = new ContactPool(source, { threads })
const seconds = async (work) => {
  const began = performance.now()
  const result = await work()
  return { result, took: (performance.now() - began) / 1000 }
}
const drawn = pool.draw(1000, streamOf('benchCodes', seed))
await pool.depths(drawn.subarray(0, 64 * pool.codeSize))
const labelled = await seconds(() => pool.depths(drawn))
const touching = Array.from({ length: 1000 }, (_, i) => i).filter((i) => {
  const width = pool.domains.length
  return labelled.result.subarray(i * width, (i + 1) * width).some((depth) => depth > 0)
}).length
console.log(
  JSON.stringify({
    rig,
    vertices: character.vertexCount,
    triangles: character.triangles.length / 3,
    code: pool.codeSize,
    domains: pool.domains.length,
    touching: touching / 1000,
    labelsPerSecond: Math.round(1000 / labelled.took),
    threads,
  }),
)

for (const mode of options.modes.split(',').filter((name) => name !== '')) {
  const learning = { ...COLLISION_STATE_LEARNING, mode, labels, effort, initial: Math.round(INITIAL_SHARE * labels) }
  const run = { seed, specHash: mode, threads }
  const { result: learned, took } = await seconds(() => learnCollisionState(pool, learning, run))
  const detector = await CollisionDetector.create(learned.shape, learned.weights)
  const field = new SelfContactField(detector, character.bounds)
  const one = await timeOf(field)
  const quality = await measureSelfContact({ field, source: unseen, distances: 0 }, { codes, threads })
  const { steps, accuracies } = learned
  const { signAccuracy, balancedAccuracy, falseNegatives, falsePositives, hybrid } = quality
  const tenth = hybrid.find(({ exactShare }) => exactShare >= 0.1)
  const figures = { signAccuracy, balancedAccuracy, falseNegatives, falsePositives, withTenthExact: tenth }
  const validated = accuracies.map((share) => Number(share.toFixed(4)))
  console.log(
    JSON.stringify({ mode, labels, effort, steps, seconds: Math.round(took), validated, ...one, codes, ...figures }),
  )
}
await pool.dispose()

/** Processor time of one answer, alone and with its gradient [us]. */
async function timeOf(field) {
  const asked = Float64Array.from(drawn)
  const [distances, gradients] = [new Float64Array(1000), new Float64Array(asked.length)]
  const spent = (ask) => {
    ask()
    const before = process.cpuUsage()
    for (let i = 0; i < 5; i++) ask()
    const { user, system } = process.cpuUsage(before)
    return Math.round((user + system) / 5000)
  }
  const microseconds = spent(() => field.query(asked, 1000, distances))
  const withGradient = spent(() => field.query(asked, 1000, distances, gradients))
  const alone = spent(() => {
    for (let i = 0; i < 1000; i++) {
      field.query(asked.subarray(i * field.codeSize, (i + 1) * field.codeSize), 1, distances, gradients)
    }
  })
  return { microseconds, withGradient, alone }
}
