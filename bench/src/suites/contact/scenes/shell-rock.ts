/**
 * A shell and a rock of many bumps (section 5.4 of the paper): written down, sampled to grids as fine as there is room for,
 * and contoured to the many triangles that a rival against the grid takes. What is proved is of the bodies as written.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { boxExpand, VoxelField } from 'pliant'
import { PaperPair, protrusions, SolidPair, solidOf } from 'pliant/detect'
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
const FINENESS = { full: { nodes: 256, cells: 200 }, quick: { nodes: 96, cells: 64 } }
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
  const [onShell, onRock] = [stickingOut(shell, POINTS.shell), stickingOut(rock, POINTS.rock)]
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
        method: `the paper's, ${onShell.length / 3} and ${onRock.length / 3} points that stick out, voxels`,
        pair: new PaperPair({ solid: ofShell.solid, points: onShell }, { solid: ofRock.solid, points: onRock }),
        bytes: { body: bytes.body, beside: onShell.byteLength },
      },
    ],
  }
}

/** The paper's six-neighbour test, by a grid that gets finer until it gives so many points; evenly so many of more. */
function stickingOut(field: ShapeField, wanted: number): Float64Array {
  let most: Float64Array = new Float64Array(0)
  let apart = boxDiagonal(field.box) / 20
  for (let step = 0; step < FINER && most.length < 3 * wanted; step++, apart *= 0.85) {
    const found = protrusions(field, field.box, apart)
    if (found.length > most.length) most = found
  }
  const count = Math.min(wanted, most.length / 3)
  return Float64Array.from({ length: 3 * count }, (_, i) => {
    const point = Math.floor((Math.trunc(i / 3) * most.length) / 3 / count)
    return most[3 * point + (i % 3)]
  })
}

/** Grids that are tried. */
const FINER = 12

/** Balls along a spiral that winds up and grows, every so many of them thicker. */
const [BALLS, TURNS, GROWTH, RIBS] = [120, 3.5, 1.9, 40]

function shellShape(): Shape {
  const balls = Array.from({ length: BALLS }, (_, i) => {
    const share = i / (BALLS - 1)
    const angle = 2 * Math.PI * TURNS * share
    const grown = 0.26 * GROWTH ** (TURNS * (share - 1))
    const radius = 0.62 * grown * (1 + 0.09 * Math.cos((RIBS * angle) / 2))
    return placed(sphere(radius), {
      at: [grown * Math.cos(angle), 0.35 - 2.4 * grown, grown * Math.sin(angle)],
    })
  })
  return bumpy(union(...balls), 0.7)
}

/** A ball with waves. */
function rockShape(seed: number): Shape {
  const random = streamOf('contactPoses', seed, 799_999)
  const waves = Array.from({ length: 6 }, () => {
    const way = [random.normal(), random.normal(), random.normal()]
    const size = Math.hypot(...way)
    return { way: way.map((value) => (8 * value) / size), phase: random.between(0, 2 * Math.PI) }
  })
  const height = 0.01
  const reach = 0.4 + height * waves.length
  const ball: Shape = {
    at: (p) => {
      const heights = waves.map(({ way, phase }) => mul(height, sin(add(dot(p, way as never), phase))))
      return sub(length(...p), add(0.4, ...heights))
    },
    slope: 1 + height * waves.length * 8,
    box: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
  }
  return bumpy(ball, 1)
}

/** Height and pace of the bumps that detection points are found on. */
const BUMPS = { height: 0.013, pace: 80 }

/** With bumps all over, and divided by the most that it may then change by, so that balls are ruled out rightly. */
function bumpy(shape: Shape, share: number): Shape {
  const { height, pace } = { height: share * BUMPS.height, pace: BUMPS.pace / share }
  const steepest = shape.slope + height * pace
  return {
    at: (p) => {
      const [x, y, z] = p.map((value) => sin(mul(pace, value)))
      return mul(1 / steepest, sub(shape.at(p), mul(height, mul(x, mul(y, z)))))
    },
    slope: 1,
    box: boxExpand(shape.box, height),
  }
}
