import { describe, expect, it } from 'vitest'
import {
  exactNodes,
  guardedNodes,
  TouchScene,
  type TouchScript,
  type TouchWatch,
} from '../../../src/blocks/touch/touch-scene.js'
import { fieldHalfSpace, type MovingField, type NodeState } from '../../../src/index.js'
import { FemBody } from '../../../src/sim/index.js'
import { ToolPath } from '../../../src/unstable.js'
import { boxMesh, SLAB_TOP } from '../../respond/scenes.js'
import { bar, nodesAt } from '../../sim/fem/bars.js'

const FRAME = 1 / 60
const bodyMesh = bar([0.2, SLAB_TOP, 0.2], [5, 2, 5])
const toolMesh = boxMesh([0.06, 0.06, 0.06], [2, 2, 2], [0.07, SLAB_TOP + 0.02, 0.07])
const script: TouchScript = {
  bodyMesh,
  fixed: nodesAt(bodyMesh, 1, 0),
  toolMesh,
  wrist: nodesAt(toolMesh, 1, SLAB_TOP + 0.08),
  options: {
    body: { material: { young: 2e4, poisson: 0.4, density: 500 }, tolerance: 0.01 },
    tool: { material: { young: 2e5, poisson: 0.4, density: 500 }, tolerance: 0.01, gravity: [0, 0, 0] },
    touch: {},
  },
}
/** Of the wrist's middle: down by 4 cm within half a second, then still. */
const path = new ToolPath({
  times: [2, 2.5],
  positions: [0.1, SLAB_TOP + 0.08, 0.1, 0.1, SLAB_TOP + 0.04, 0.1],
  quaternions: [0, 0, 0, 1, 0, 0, 0, 1],
})

function press(scene: TouchScene, seconds = 1): TouchScene {
  for (let time = FRAME; time < seconds; time += FRAME) {
    scene.moveHandAlong(path, time)
    scene.step(FRAME)
  }
  return scene
}
const middle = ({ tool }: TouchScene): number =>
  script.wrist.reduce((sum, node) => sum + tool.positions[3 * node + 1] / script.wrist.length, 0)
/** A field that answers as the slab at rest does to what comes from above. */
const top = (trusted: boolean): MovingField<NodeState> & { trusted: boolean } => ({
  ...fieldHalfSpace([0, 1, 0], SLAB_TOP),
  update: () => {},
  trusted,
})

describe('a tool on a body', () => {
  const scene = press(new TouchScene(script, { body: exactNodes, tool: exactNodes }))

  it('is pressed into it by the hand, which feels it, and what is fixed stays', () => {
    expect(scene.touch.report.contacts).toBeGreaterThan(0)
    expect(middle(scene)).toBeGreaterThan(SLAB_TOP + 0.04)
    expect(middle(scene)).toBeLessThan(SLAB_TOP + 0.07)
    for (const node of script.fixed) expect(scene.body.positions[3 * node + 1]).toBe(bodyMesh.positions[3 * node + 1])
  })

  it('feels in the reaction what the body was given: both held still, that is what the hand holds', () => {
    const [, up] = scene.reaction()
    expect(up).toBeGreaterThan(0.05)
    expect(up / scene.touch.report.handForce[1]).toBeCloseTo(1, 0)
  })

  it('goes on in the motion of another scene', () => {
    const other = new TouchScene(script, { body: exactNodes })
    other.goOnFrom(scene)
    expect(other.body.positions).toEqual(scene.body.positions)
    expect(other.tool.positions).toEqual(scene.tool.positions)
    expect(other.tool.velocities).toEqual(scene.tool.velocities)
    expect(other.body.positions).not.toBe(scene.body.positions)
  })

  it('begins where the script says', () => {
    const toolStart = toolMesh.positions.map((value) => value + 1)
    const bodyStart = bodyMesh.positions.map((value) => 1.01 * value)
    const { body, tool } = new TouchScene({ ...script, toolStart, bodyStart }, { body: exactNodes })
    expect(tool.positions).toEqual(toolStart)
    expect(body.positions).toEqual(bodyStart)
  })
})

describe('the fields of a scene', () => {
  it('that ask only near the other box leave the motion as it is', () => {
    const all = press(new TouchScene(script, { body: exactNodes, tool: exactNodes }), 0.5)
    const near = press(new TouchScene(script, { body: exactNodes, tool: exactNodes, margin: 0.03 }), 0.5)
    expect(near.tool.positions).toEqual(all.tool.positions)
  })

  it('are the learned one while it trusts itself, else the triangles', () => {
    const distances = (field: MovingField<NodeState>): number => {
      const out = new Float64Array(1)
      field.update({ nodes: bodyMesh.positions })
      // Beside the slab, but below the plane of its top.
      field.query(Float64Array.of(0.3, SLAB_TOP / 2, 0.1), 1, out)
      return out[0]
    }
    const { body } = new TouchScene(script, { body: exactNodes })
    expect(distances(guardedNodes(top(true))(body))).toBeCloseTo(-SLAB_TOP / 2, 9)
    expect(distances(guardedNodes(top(false))(body))).toBeCloseTo(0.1, 9)
  })

  it('and the bodies can be watched', () => {
    const seen: string[] = []
    const watch: TouchWatch = {
      body: (mesh, options, part) => {
        seen.push(part)
        return new FemBody(mesh, options)
      },
      field: (field, part) => ({
        ...field,
        update: (state) => {
          seen.push(`update ${part}`)
          field.update(state)
        },
        query: (points, count, distances, gradients) => field.query(points, count, distances, gradients),
        bounds: (box) => field.bounds(box),
      }),
    }
    new TouchScene(script, { body: exactNodes, tool: exactNodes }, watch).step(FRAME)
    expect(seen).toEqual(['body', 'tool', 'update body', 'update tool'])
  })
})
