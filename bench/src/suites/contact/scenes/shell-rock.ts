/**
 * A shell and a rock of many bumps (section 5.4 of the paper): written down, sampled to grids as fine as there is room for,
 * and contoured to the many triangles that a rival against the grid takes. What is proved is of the bodies as written.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { boxExpand, VoxelField } from 'pliant'
import { PaperPair, protrusions, type Solid, SolidPair, solidOf } from 'pliant/detect'
import {
  add,
  contourField,
  dot,
  fieldOf,
  length,
  mul,
  placed,
  type Shape,
  type ShapeField,
  sin,
  sphere,
  sub,
  union,
} from 'pliant/shapes'
import { boxDiagonal } from 'pliant/unstable'
import { MeshFieldPair } from '../rivals/mesh-field-pair.js'
import type { Race } from './race.js'
import { solidBytes } from './solid-bytes.js'

/** Nodes along the longest side: 256 are 35 and 60 MB; and cells of the triangles. */
const FINENESS = { full: { nodes: 256, cells: 200 }, quick: { nodes: 64, cells: 48 } }
/** The paper's detection points. */
const POINTS = { shell: 484, rock: 384 }

export function shellRockRace(seed: number, quick: boolean): Race {
  const { nodes, cells } = quick ? FINENESS.quick : FINENESS.full
  const [shell, rock] = [fieldOf(shellShape()), fieldOf(rockShape(seed))]
  const [ofShell, ofRock] = [shell, rock].map((field) => {
    const grid = VoxelField.sample(field, boxExpand(field.box, 0.03), { resolution: nodes })
    return { grid, solid: solidOf(grid, field.box) }
  })
  const mesh = contourField(shell, boxExpand(shell.box, 1e-3), { cells })
  const byTriangles = new MeshFieldPair(mesh, ofRock.grid, 'projected gradient')
  const bytes = { body: ofShell.grid.values.byteLength, beside: solidBytes(ofShell.solid) }
  return {
    scene: 'shell and rock',
    body: { field: shell, box: shell.box },
    tool: { field: rock, box: rock.box },
    size: Math.min(boxDiagonal(shell.box), boxDiagonal(rock.box)),
    triangles: { body: mesh.triangles.length / 3, tool: 0 },
    racers: [
      {
        method: `ours, voxels, ${nodes} along the longest side`,
        pair: new SolidPair(ofShell.solid, ofRock.solid),
        bytes,
      },
      {
        method: 'mesh against field, projected gradient',
        pair: byTriangles,
        bytes: { body: mesh.positions.byteLength / 2 + mesh.triangles.byteLength, beside: byTriangles.bytes },
        oneSided: true,
      },
      {
        method: `the paper's, ${POINTS.shell} and ${POINTS.rock} points that stick out, voxels`,
        pair: new PaperPair(
          withPoints(ofShell.solid, shell, POINTS.shell),
          withPoints(ofRock.solid, rock, POINTS.rock),
        ),
        bytes: { body: bytes.body, beside: 24 * POINTS.shell },
      },
    ],
  }
}

/** The paper's six-neighbour test, by a grid as fine as gives so many points; of more of them every second, third... */
function withPoints(solid: Solid, field: ShapeField, count: number): { solid: Solid; points: Float64Array } {
  let all: Float64Array = new Float64Array(0)
  for (let apart = solid.size / 16; all.length < 3 * count; apart *= 0.8) all = protrusions(field, field.box, apart)
  const picked = Float64Array.from({ length: 3 * count }, (_, i) => {
    const point = Math.floor((Math.trunc(i / 3) * all.length) / 3 / count)
    return all[3 * point + (i % 3)]
  })
  return { solid, points: picked }
}

/** Balls along a spiral that winds up and grows, each rib a thicker one. */
const [BALLS, TURNS, GROWTH, RIBS] = [220, 3.5, 1.9, 40]

function shellShape(): Shape {
  const balls = Array.from({ length: BALLS }, (_, i) => {
    const share = i / (BALLS - 1)
    const angle = 2 * Math.PI * TURNS * share
    const grown = 0.26 * GROWTH ** (TURNS * (share - 1))
    const radius = 0.62 * grown * (1 + 0.09 * Math.cos(RIBS * angle * 0.5))
    return placed(sphere(radius), {
      at: [grown * Math.cos(angle), 0.9 - 3.4 * grown, grown * Math.sin(angle)],
    })
  })
  return union(...balls)
}

/** A ball with waves of three sizes, divided by the most that it may then change by. */
function rockShape(seed: number): Shape {
  const random = streamOf('contactPoses', seed, 799_999)
  const waves = Array.from({ length: 9 }, (_, i) => {
    const pace = [6, 14, 30][i % 3]
    const way = [random.normal(), random.normal(), random.normal()]
    const size = Math.hypot(...way)
    return {
      way: way.map((value) => (pace * value) / size),
      phase: random.between(0, 2 * Math.PI),
      height: 0.05 / pace,
    }
  })
  const steepest = 1 + waves.reduce((sum, { way, height }) => sum + height * Math.hypot(...way), 0)
  const reach = 0.4 + waves.reduce((sum, { height }) => sum + height, 0)
  return {
    at: ([x, y, z]) => {
      const bumps = waves.map(({ way, phase, height }) => mul(height, sin(add(dot([x, y, z], way as never), phase))))
      return mul(
        1 / steepest,
        sub(
          length(x, y, z),
          add(
            0.4,
            bumps.reduce((sum, bump) => add(sum, bump)),
          ),
        ),
      )
    },
    slope: 1,
    box: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
  }
}
