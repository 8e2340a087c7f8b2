/**
 * Distances to an OBJ, exact and learned, from a script: `node examples/node-distances/main.mjs [FILE.obj] [SCALE]`.
 * The bracket beside it was drawn in millimetres; Pliant computes in metres.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSpec, train } from '@pliant/train'
import { boxExpand, boxOfPoints, decode, load, randomStream } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { readMeshFile, trianglesOf } from 'pliant/files'

const [file = fileURLToPath(new URL('bracket.obj', import.meta.url)), scaleText = '0.001'] = process.argv.slice(2)
const scale = Number(scaleText)

// #region exact
const drawn = trianglesOf(await readMeshFile(file, await readFile(file)))
const mesh = { ...drawn, positions: drawn.positions.map((value) => scale * value) } // now in metres
const exact = new ExactMeshField(mesh)
// #endregion

// #region train
const spec = {
  model: { mesh: basename(file), scale }, // as `pliant train bracket.obj --scale 0.001`
  // For a training of seconds; leave these out for one of minutes, with far less error.
  ...{ poses: 8, steps: 250, pointsPerBatchPose: 128, evaluation: { poses: 4, points: 2000 } },
}
const trained = await train(readSpec(JSON.stringify(spec)), { folder: dirname(file) })
const artifact = await decode(trained.artifact) // or of a file that `pliant train` wrote
const field = await load(artifact)
const { safetyMargin } = artifact.manifest.quality // [m]
// #endregion

const { truncation } = artifact.manifest
const count = 4000
const points = pointsAround(boxExpand(boxOfPoints(mesh.positions), truncation), count)

// #region ask
const distances = new Float64Array(count)
field.query(points, count, distances) // [m], negative inside
const safe = distances.map((distance) => distance - safetyMargin) // rather too near than too far
// #endregion

const truth = new Float64Array(count)
exact.query(points, count, truth)
report()
field.dispose()

/** Evenly in a box, xyz triples, the same in every run. */
function pointsAround({ lower, upper }, n) {
  const random = randomStream(1)
  return Float64Array.from({ length: 3 * n }, (_, i) => random.between(lower[i % 3], upper[i % 3]))
}

function report() {
  const near = Array.from(truth.keys()).filter((i) => Math.abs(truth[i]) < truncation)
  const errors = near.map((i) => Math.abs(distances[i] - truth[i]))
  const missed = (answers) => near.filter((i) => answers[i] > truth[i]).length
  const millimetres = (metres) => `${(1000 * metres).toFixed(3)} mm`
  const { lower, upper } = boxOfPoints(mesh.positions)
  console.log(
    `${basename(file)}: ${upper.map((high, axis) => (1000 * (high - lower[axis])).toFixed(1)).join(' x ')} mm`,
  )
  console.log(`${near.length} of ${count} points lie within ${millimetres(truncation)} of the surface`)
  console.log(`mean error ${millimetres(errors.reduce((sum, error) => sum + error, 0) / near.length)}`)
  console.log(`safety margin ${millimetres(safetyMargin)}`)
  console.log(`too far away: ${missed(distances)} of them, with the margin ${missed(safe)}`)
}
