/** A soft bunny, pressed by a rigid ball or by a soft hand. */
import { boxOfPoints } from 'pliant'
import { Mesh, MeshStandardMaterial, SphereGeometry } from 'three'
import { Stage } from '../shared/stage.js'
import { BallPress } from './ball-press.js'
import { HandPress } from './hand-press.js'
import { loadSoftBody, pinBase, surfaceMesh } from './soft-body.js'

const BUNNY = new URL('../../apps/studio/public/artifacts/bunny.safetensors', import.meta.url).href
const HAND = new URL('../../apps/studio/public/artifacts/hand.safetensors', import.meta.url).href
const RADIUS = 0.025
/** Over the back of the bunny; how far the tool strokes to and fro [m], and how fast [rad/s]. */
const OVER = [0.022, 0, 0]
const STROKE = 0.015
const RATE = 1.5

const depth = document.querySelector('#depth')
const tool = document.querySelector('#tool')
const stage = new Stage(0.2)
stage.lookAt([0.01, 0.075, 0], [0.14, 0.16, 0.4])

const bunny = await loadSoftBody(BUNNY, { young: 2000, poisson: 0.4, density: 170 })
pinBase(bunny.fem)
const drawn = surfaceMesh(bunny.fem, 0xd9b28f)
stage.scene.add(drawn.mesh)
/** Top of the back below the tool. */
const back = topAt(bunny.fem, OVER)

const PRESSES = { ball: pressWithBall, hand: pressWithHand }
let press
let time = 0

async function choose() {
  press?.remove()
  press = undefined
  stage.status.textContent = 'loading'
  const made = await PRESSES[tool.value]()
  press = made
  window.threeSoftBody = { bunny, press }
}

function pressWithBall() {
  const ball = new BallPress(bunny, RADIUS)
  const mesh = new Mesh(
    new SphereGeometry(RADIUS, 32, 24),
    new MeshStandardMaterial({ color: 0x5d8fc4, roughness: 0.4 }),
  )
  stage.scene.add(mesh)
  return {
    frames: 0,
    points: ball.points,
    touching: 0,
    step(seconds, [x, y, z]) {
      mesh.position.set(back[0] + x, back[1] + RADIUS + y, back[2] + z)
      ball.step(seconds, mesh.position.toArray())
      this.touching = ball.touching
      return `${ball.touching} points touch`
    },
    remove: () => mesh.removeFromParent(),
  }
}

async function pressWithHand() {
  const hand = await loadSoftBody(HAND, { young: 8e4, poisson: 0.4, density: 500, stiffnessDamping: 0.02 }, FREE)
  placeHand(hand.fem.positions)
  const both = new HandPress(bunny, hand)
  const shown = surfaceMesh(hand.fem, 0x5d8fc4)
  stage.scene.add(shown.mesh)
  return {
    frames: 0,
    points: shown.positions,
    touching: 0,
    step(seconds, offset) {
      both.step(seconds, offset)
      shown.draw()
      this.touching = both.touching
      return `${both.touching} contacts, ${both.force.toFixed(2)} N`
    },
    remove: () => shown.mesh.removeFromParent(),
  }
}
/** Who holds the hand bears its weight. */
const FREE = { gravity: [0, 0, 0], obstacles: [] }

/** Turned, so that fingers point to -x, over the back, and lowered until they nearly touch. */
function placeHand(positions) {
  const { lower } = boxOfPoints(positions)
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3)
    positions.set([back[0] + 0.07 + z, back[1] - lower[1] + 0.005 + y, back[2] - x], i)
  }
}

function topAt({ positions, nodeCount }, [x, , z]) {
  let top = [x, 0, z]
  for (let node = 0; node < nodeCount; node++) {
    const [px, py, pz] = positions.subarray(3 * node, 3 * node + 3)
    if (Math.hypot(px - x, pz - z) < 0.02 && py > top[1]) top = [x, py, z]
  }
  return top
}

tool.addEventListener('change', choose)
await choose()
stage.run((seconds) => {
  if (!press || seconds === 0) return
  time += seconds
  const touched = press.step(seconds, [STROKE * Math.sin(RATE * time), -Number(depth.value), 0])
  press.frames++
  drawn.draw()
  stage.status.textContent = touched
})
