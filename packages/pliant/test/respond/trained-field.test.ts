/** A tool that slides slowly over the studio's bunny: how smooth its force is with the learned field, and how deep it gets. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  boxOfPoints,
  decode,
  type ElasticField,
  load,
  type MovingField,
  type NodeState,
  type TetMesh,
} from '../../src/index.js'
import { type ForceJerk, forceJerk } from '../../src/respond/force-jerk.js'
import { ElasticTouch } from '../../src/respond/index.js'
import { pressPath } from '../../src/respond/press-path.js'
import { FemBody } from '../../src/sim/index.js'
import { ballMesh, exactOf } from './scenes.js'

const file = new URL('../../../../apps/studio/public/artifacts/bunny.safetensors', import.meta.url)

const FRAME = 1 / 60
const RADIUS = 0.025
const CLEARANCE = 0.01
/** Approaching, pressing, sliding and leaving [s]; the force is taken from the slide but for its ends. */
const SECONDS = [0.3, 0.5, 2.5, 0.3] as const
const ENDS = 0.2
/** At these shares of the bunny's height, by so much along z [m]. */
const SLIDES = [
  [0.4, 0.04],
  [0.4, -0.04],
  [0.5, 0.04],
  [0.5, -0.04],
] as const

it.skipIf(!existsSync(file))(
  'a learned field is as smooth and as strong as the triangles, and keeps the tool further out of them',
  async () => {
    const artifact = await decode(readFileSync(file), 'elastic-body')
    const { mesh } = artifact.body!
    const field = (await load(artifact)) as ElasticField
    const standing = standingBody(mesh)
    for (let n = 0; n < 60; n++) standing.step(FRAME)
    const settled = standing.positions.slice()
    let jerks = 0
    // Single slides differ: .12 to 1.25 times the jerk of the triangles over eight of them (docs/notes/touch.md).
    for (const [height, along] of SLIDES) {
      const exact = slide(mesh, settled, exactOf, height, along)
      const learned = slide(mesh, settled, () => field, height, along)
      expect(exact.jerk.meanForce).toBeGreaterThan(0.05)
      expect(Math.abs(learned.jerk.meanForce / exact.jerk.meanForce - 1)).toBeLessThan(0.2)
      expect(learned.deepest).toBeLessThan(exact.deepest)
      expect(learned.deepest).toBeLessThan(0.005)
      jerks += Math.log(learned.jerk.rms / exact.jerk.rms)
    }
    field.dispose()
    expect(Math.exp(jerks / SLIDES.length)).toBeLessThan(1)
  },
)

/** Presses a ball by 12 mm into the bunny's flank and slides it along z. `deepest`: in the triangles, of the bunny's size. */
function slide(
  mesh: TetMesh,
  settled: Float64Array,
  fieldOf: (body: FemBody) => MovingField<NodeState>,
  atHeight: number,
  along: number,
): { jerk: ForceJerk; deepest: number } {
  const { lower, upper } = boxOfPoints(mesh.positions)
  const height = upper[1] - lower[1]
  const body = standingBody(mesh)
  body.positions.set(settled)
  const centre = [upper[0] + 2 * RADIUS, lower[1] + atHeight * height, (lower[2] + upper[2]) / 2]
  const toolMesh = ballMesh(RADIUS, 4, centre)
  const tool = new FemBody(toolMesh, { gravity: [0, 0, 0], material: { density: 300, young: 2e4, poisson: 0.4 } })
  const gap = depthMeter(body, tool)
  // Nothing is nearer than the least distance.
  for (let free = gap(); free > CLEARANCE; free = gap()) {
    for (let i = 0; i < tool.positions.length; i += 3) tool.positions[i] -= free - 0.9 * CLEARANCE
  }
  const wrist = Array.from(tool.masses.keys()).filter((node) => toolMesh.positions[3 * node] > centre[0] + 0.3 * RADIUS)
  const touch = new ElasticTouch({ body, bodyField: fieldOf(body), tool, wrist })
  const [x, y, z] = touch.handPosition!
  const path = pressPath({
    ...{ touch: [x - gap(), y, z], outward: [1, 0, 0], clearance: gap(), depth: 0.012 },
    ...{ slide: [0, 0, along], seconds: SECONDS },
  })
  const [position, rotation] = [new Float64Array(3), new Float64Array(4)]
  const forces: number[] = []
  const [from, to] = [SECONDS[0] + SECONDS[1] + ENDS, SECONDS[0] + SECONDS[1] + SECONDS[2] - ENDS]
  let deepest = 0
  for (let t = FRAME; t < path.duration; t += FRAME) {
    path.at(t, position, rotation)
    touch.moveHand(position, rotation)
    touch.step(FRAME)
    deepest = Math.max(deepest, -gap())
    if (t > from && t < to) forces.push(...touch.report.handForce)
  }
  return { jerk: forceJerk(forces, FRAME), deepest: deepest / body.size }
}

/** Held by its feet. */
function standingBody(mesh: TetMesh): FemBody {
  const { lower, upper } = boxOfPoints(mesh.positions)
  // What the paper uses at run time; see runTimeMaterial in @pliant/train.
  const body = new FemBody(mesh, { material: { density: 167, young: 1964, poisson: 0.4, stiffnessDamping: 0.0016 } })
  const feet = lower[1] + 0.06 * (upper[1] - lower[1])
  body.pin(Array.from(body.masses.keys()).filter((node) => mesh.positions[3 * node + 1] < feet))
  return body
}

/** Least distance of the tool's vertices from the body's triangles as they are now [m]. */
function depthMeter(body: FemBody, tool: FemBody): () => number {
  const exact = exactOf(body)
  const { nodeOfVertex } = tool.surface
  const count = nodeOfVertex.length
  const [points, gradients] = [new Float64Array(3 * count), new Float64Array(3 * count)]
  const distances = new Float64Array(count)
  return () => {
    exact.update({ nodes: body.positions })
    for (let i = 0; i < points.length; i++) points[i] = tool.positions[3 * nodeOfVertex[Math.trunc(i / 3)] + (i % 3)]
    exact.query(points, count, distances, gradients)
    return Math.min(...distances)
  }
}
