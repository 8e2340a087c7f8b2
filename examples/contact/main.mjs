/**
 * Where two fields touch: shapes that are written down, a shape and a voxel grid, and two learned bodies, each bent by a
 * code of its own. Run: node examples/contact/main.mjs
 */
import { readFile } from 'node:fs/promises'
import { boxExpand, boxOfPoints, decode, load, VoxelField } from 'pliant'
import { collide, SolidPair, solidOf } from 'pliant/detect'
import { cylinder, difference, fieldOf, placed, sphere } from 'pliant/shapes'

const trained = new URL('../../apps/studio/public/artifacts/bar.safetensors', import.meta.url)

// #region shapes
const at = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1] // column-major 4x4, rigid
const hollow = placed(cylinder(0.04, 0.05), { at: [0, 0.01, 0] })
const cup = fieldOf(difference(cylinder(0.05, 0.05), hollow)) // 5 cm wide, its walls 1 cm thick
const ball = fieldOf(sphere(0.02))
const contacts = collide(ball, at(0.021, -0.021, 0), cup, at(0, 0, 0), { maxContacts: 8 })
// #endregion
tell('ball in a cup', contacts)

// #region told
function tell(what, list) {
  console.log(`${what}: ${list.count} contacts`)
  for (let i = 0; i < list.count; i++) {
    // Points on both bodies, normal from A to B; separation below zero: how deep. All in metres, in the world.
    const { pointA, normal, separation, limit } = list.at(i)
    const told = limit === 'none' ? '' : `, ${limit}`
    console.log(
      `  ${millimetres(separation)} at (${[...pointA].map(millimetres).join(', ')}) along ${short(normal)}${told}`,
    )
  }
}
// #endregion

// #region voxels
const sampled = VoxelField.sample(ball, boxExpand(ball.box, 0.005), { resolution: 32 })
tell('ball of voxels', collide(sampled, at(0.021, -0.021, 0), cup, at(0, 0, 0)))
// #endregion

// #region learned
const artifact = await decode(await readFile(trained))
async function bentBar(code) {
  const field = await load(artifact)
  field.update({ code })
  const surface = new Float64Array(artifact.model.rest.length)
  artifact.model.positions(code, surface)
  // The field tells distances up to its truncation: deeper contacts say that they are deeper.
  const band = artifact.manifest.truncation
  return solidOf(field, boxExpand(boxOfPoints(surface), 0.02), { band })
}
const pair = new SolidPair(await bentBar([0.6, -0.4, 0.7]), await bentBar([0.3, 0.5, -0.6]), {
  gap: 0.005,
  maxContacts: 4,
})
const turned = (y) => [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, y, 0, 1] // by a quarter, about y
for (const height of [0.09, 0.085, 0.08]) tell(`bars ${height} m apart`, pair.update(at(0, 0, 0), turned(height)))
// #endregion

function millimetres(metres) {
  return `${(1000 * metres).toFixed(1)} mm`
}

function short(vector) {
  return [...vector].map((value) => (Math.round(100 * value) / 100 + 0).toFixed(2)).join(' ')
}
