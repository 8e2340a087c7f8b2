/**
 * The bodies of the paper's Figs. 11 to 13, each in all forms in which it is raced: the bunny and the armadillo as triangles,
 * as voxel grids and as trained networks, the cone and the cylinder as expressions and as triangles.
 */
import {
  boxExpand,
  boxOfPoints,
  decode,
  load,
  type SignedField,
  surfaceOfTets,
  type TriangleMesh,
  VoxelField,
} from 'pliant'
import { type Solid, solidOf } from 'pliant/detect'
import { ExactMeshField } from 'pliant/exact'
import { cone, cylinder, fieldOf, type ShapeField } from 'pliant/shapes'
import { boxDiagonal, expectKind } from 'pliant/unstable'
import { turnedProfile } from './turned-profile.js'

/** A body that is a mesh to begin with, and the fields that stand in for it. */
export interface ScannedBody {
  name: string
  mesh: TriangleMesh
  /** Diagonal of its box [m]. */
  size: number
  exact: Solid
  /** By nodes along the longest side. */
  voxels: ReadonlyMap<number, Solid>
  neural: Solid
  /** What each takes to hold [bytes]: of the mesh without a tree. */
  bytes: { mesh: number; voxels: ReadonlyMap<number, number>; neural: number }
}

/** A body that is written down. */
export interface Tool {
  name: string
  field: ShapeField
  solid: Solid
  mesh: TriangleMesh
}

/** Bytes of trained files: of the bunny, an elastic body, and of the armadillo, which does not move. */
export interface SceneFiles {
  bunny: Uint8Array
  armadillo: Uint8Array
}

export interface Scene {
  name: string
  body: ScannedBody
  tool: Tool
}

/** Nodes along the longest side of the grids; for a first look the coarser. */
const VOXELS = { full: [64, 128], quick: [64] } as const
/** What a grid reaches beyond the body, as a share of its size. */
const AROUND = 0.05
/** Of the scanned bodies' points: by 20, as of whatever is simple, claws of the armadillo lie between them. */
const CELLS = 40
/** Sides of the tools' meshes: between them they are .12% of the radius off. */
const SIDES = 64

/** A scanned body as it is stored. */
interface StoredScan {
  name: string
  mesh: TriangleMesh
  /** [bytes] */
  size: number
  neural(): Promise<SignedField>
}

async function storedScans(files: SceneFiles): Promise<[StoredScan, StoredScan]> {
  const bunny = expectKind(await decode(files.bunny), 'elastic-body', () => wrong('the bunny'))
  const armadillo = expectKind(await decode(files.armadillo), 'linear-modes', () => wrong('the armadillo'))
  return [
    {
      name: 'bunny',
      mesh: inDoubles(surfaceOfTets(bunny.body.mesh)),
      size: files.bunny.length,
      neural: async () => {
        const field = await load(bunny)
        field.update({ nodes: Float64Array.from(bunny.body.mesh.positions) })
        return field
      },
    },
    {
      name: 'armadillo',
      mesh: inDoubles({ positions: armadillo.model.rest, triangles: armadillo.model.triangles }),
      size: files.armadillo.length,
      neural: () => load(armadillo),
    },
  ]
}

function wrong(what: string): Error {
  return new Error(`bench contact: the file of ${what} holds something else; run 'npm run build' again.`)
}

function inDoubles({ positions, triangles }: TriangleMesh): TriangleMesh {
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}

/** The scanned bodies as triangles alone. */
export async function scannedMeshes(files: SceneFiles): Promise<{ name: string; mesh: TriangleMesh }[]> {
  return (await storedScans(files)).map(({ name, mesh }) => ({ name, mesh }))
}

export async function contactScenes(files: SceneFiles, quick: boolean): Promise<Scene[]> {
  const resolutions = quick ? VOXELS.quick : VOXELS.full
  const [bunny, armadillo] = await storedScans(files)
  return [
    { name: 'bunny and cone', body: await scanned(bunny, resolutions), tool: coneTool(0.05, 0.07) },
    {
      name: 'armadillo and cylinder',
      body: await scanned(armadillo, resolutions),
      tool: cylinderTool(0.035, 0.085),
    },
  ]
}

async function scanned(stored: StoredScan, resolutions: readonly number[]): Promise<ScannedBody> {
  const { name, mesh } = stored
  const box = boxOfPoints(mesh.positions)
  const size = boxDiagonal(box)
  const exact = new ExactMeshField(mesh)
  const grids = resolutions.map((resolution): [number, VoxelField] => [
    resolution,
    VoxelField.sample(exact, boxExpand(box, AROUND * size), { resolution }),
  ])
  return {
    ...{ name, mesh, size },
    exact: solidOf(exact, box, { cells: CELLS }),
    voxels: new Map(grids.map(([resolution, grid]) => [resolution, solidOf(grid, box, { cells: CELLS })])),
    neural: solidOf(await stored.neural(), box, { cells: CELLS }),
    bytes: {
      mesh: mesh.positions.byteLength / 2 + mesh.triangles.byteLength,
      voxels: new Map(grids.map(([resolution, { values }]) => [resolution, values.byteLength])),
      neural: stored.size,
    },
  }
}

/** Tip up. */
function coneTool(base: number, half: number): Tool {
  const field = fieldOf(cone(base, 0, half))
  const mesh = turnedProfile(
    [
      [0, -half],
      [base, -half],
      [0, half],
    ],
    SIDES,
  )
  return { name: 'cone', field, solid: solidOf(field, field.box), mesh }
}

function cylinderTool(radius: number, half: number): Tool {
  const field = fieldOf(cylinder(radius, half))
  const mesh = turnedProfile(
    [
      [0, -half],
      [radius, -half],
      [radius, half],
      [0, half],
    ],
    SIDES,
  )
  return { name: 'cylinder', field, solid: solidOf(field, field.box), mesh }
}
