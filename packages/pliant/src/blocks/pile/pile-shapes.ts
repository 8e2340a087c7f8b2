/** Bodies that piles are made of, some 40 cm across, as plain data and by name; and solids of meshes to drop with them. */
import { type Solid, type SolidOptions, solidOf } from '../../detect/index.js'
import { ExactMeshField } from '../../exact/index.js'
import {
  boxExpand,
  boxOfPoints,
  createTriangleMesh,
  type TriangleMesh,
  VOXEL_DEFAULTS,
  VoxelField,
} from '../../index.js'
import { fieldOf, type ShapeDescription, shapeOf } from '../../shapes.js'
import { boxDiagonal } from '../../unstable.js'

const box = (half: readonly number[], more: object = {}): ShapeDescription => ({ shape: 'box', half, ...more })

/** What a pile may name: primitives, and scenes that are put together of some. */
export const PILE_SHAPES: Readonly<Record<string, ShapeDescription>> = {
  ball: { shape: 'sphere', radius: 0.16 },
  box: box([0.15, 0.12, 0.18]),
  brick: box([0.2, 0.06, 0.1]),
  'rounded box': box([0.16, 0.12, 0.14], { rounding: 0.04 }),
  cylinder: { shape: 'cylinder', radius: 0.12, half: 0.16 },
  cone: { shape: 'cone', base: 0.17, half: 0.18 },
  torus: { shape: 'torus', ring: 0.16, tube: 0.055 },
  capsule: { shape: 'capsule', from: [-0.13, 0, 0], to: [0.13, 0, 0], radius: 0.07 },
  ellipsoid: { shape: 'ellipsoid', radii: [0.2, 0.1, 0.14] },
  heart: { shape: 'heart', size: 0.17 },
  nut: {
    shape: 'difference',
    from: { shape: 'regular-prism', sides: 6, radius: 0.19, half: 0.08 },
    // A prism stands along z, a cylinder along y.
    taken: [{ shape: 'cylinder', radius: 0.1, half: 0.2, turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }],
  },
  dumbbell: {
    shape: 'smooth-union',
    a: {
      shape: 'union',
      of: [-1, 1].map((side) => ({ shape: 'sphere', radius: 0.1, at: [0.16 * side, 0, 0] })),
    },
    b: { shape: 'capsule', from: [-0.16, 0, 0], to: [0.16, 0, 0], radius: 0.035 },
    width: 0.04,
  },
  table: {
    shape: 'union',
    of: [
      box([0.2, 0.025, 0.15], { at: [0, 0.13, 0] }),
      ...[-1, 1].flatMap((x) => [-1, 1].map((z) => box([0.025, 0.13, 0.025], { at: [0.17 * x, 0, 0.12 * z] }))),
    ],
  },
  mug: {
    shape: 'union',
    of: [
      {
        shape: 'difference',
        from: { shape: 'cylinder', radius: 0.13, half: 0.16 },
        taken: [{ shape: 'cylinder', radius: 0.1, half: 0.16, at: [0, 0.035, 0] }],
      },
      { shape: 'torus', ring: 0.08, tube: 0.022, at: [0.17, 0, 0], turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
    ],
  },
}

/** A solid of a shape's plain data. */
export function shapeSolid(description: unknown, options: SolidOptions = {}): Solid {
  const shape = shapeOf(description)
  return solidOf(fieldOf(shape), shape.box, options)
}

/** How a mesh becomes a body. */
export interface MeshSolidOptions extends SolidOptions {
  /** Diagonal that it is scaled to [m]; as it is, if not given. */
  size?: number
  /** 'voxel', sampled once and fast to ask, or 'exact'. */
  as?: 'voxel' | 'exact'
  /** Nodes of the grid along its longest side. */
  resolution?: number
}

/** A solid of a closed mesh, its box's middle at the origin. */
export function meshSolid(mesh: TriangleMesh, options: MeshSolidOptions = {}): Solid {
  const { size, as = 'voxel', resolution = VOXEL_DEFAULTS.resolution, ...cells } = options
  const given = boxOfPoints(mesh.positions)
  const scale = size === undefined ? 1 : size / boxDiagonal(given)
  const middle = given.lower.map((low, k) => (low + given.upper[k]) / 2)
  const positions = Float64Array.from(mesh.positions, (value, i) => scale * (value - middle[i % 3]))
  const body = boxOfPoints(positions)
  const exact = new ExactMeshField(createTriangleMesh(positions, mesh.triangles))
  if (as === 'exact') return solidOf(exact, body, cells)
  // A cell of air around it, so that the surface closes within the grid.
  const grid = VoxelField.sample(exact, boxExpand(body, (2 * boxDiagonal(body)) / resolution), { resolution })
  return solidOf(grid, body, cells)
}
