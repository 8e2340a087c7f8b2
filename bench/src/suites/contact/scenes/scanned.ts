/**
 * Bunny and cone, armadillo and cylinder (the paper's Figs. 11 to 13 and Table 1): the scanned body in each of its forms, and
 * the rivals on the same triangles.
 */
import { PaperPair, type Solid, SolidPair } from 'pliant/detect'
import { QUICK_BOXES } from '../boxes/surface-boxes.js'
import { decomposedMethods } from '../methods.js'
import { MujocoPair } from '../mujoco.js'
import { MeshFieldPair, type Optimiser } from '../rivals/mesh-field-pair.js'
import { MeshPair } from '../rivals/mesh-pair.js'
import type { Scene } from './bodies.js'
import type { Race, Racer } from './race.js'
import { solidBytes } from './solid-bytes.js'

export function scannedRace(scene: Scene, quick: boolean): Race {
  const { name, body, tool } = scene
  return {
    scene: name,
    body: { field: body.exact.field, box: body.exact.box },
    tool: { field: tool.field, box: tool.field.box },
    size: Math.min(body.size, tool.solid.size),
    triangles: { body: body.mesh.triangles.length / 3, tool: tool.mesh.triangles.length / 3 },
    racers: racersOf(scene, quick),
  }
}

function racersOf({ body, tool }: Scene, quick: boolean): Racer[] {
  const ours = (what: string, solid: Solid, bytes: number): Racer => ({
    method: `ours, ${what}`,
    pair: new SolidPair(solid, tool.solid),
    bytes: { body: bytes, beside: solidBytes(solid) },
  })
  const { bytes } = body
  const grids = [...body.voxels].map(([resolution, solid]) => ({
    resolution,
    solid,
    bytes: bytes.voxels.get(resolution)!,
  }))
  const finest = grids[grids.length - 1]
  const meshPair = new MeshPair(body.mesh, tool.mesh)
  const byTriangles = (optimiser: Optimiser): Racer => {
    const pair = new MeshFieldPair(body.mesh, tool.field, optimiser)
    return {
      method: `mesh against field, ${optimiser}`,
      pair,
      bytes: { body: bytes.mesh, beside: pair.bytes },
      oneSided: true,
    }
  }
  return [
    ...grids.map((grid) => ours(`voxels, ${grid.resolution} along the longest side`, grid.solid, grid.bytes)),
    ours('neural', body.neural, bytes.neural),
    ours('the triangles as a field', body.exact, bytes.mesh),
    { method: 'mesh against mesh', pair: meshPair, bytes: { body: bytes.mesh, beside: meshPair.bytes } },
    byTriangles('projected gradient'),
    byTriangles('Frank-Wolfe'),
    byTriangles('golden section'),
    {
      method: "the paper's, one box a body, voxels",
      pair: new PaperPair({ solid: finest.solid }, { solid: tool.solid }),
      bytes: { body: finest.bytes, beside: 0 },
    },
    ...decomposedMethods(quick ? QUICK_BOXES : {}).map(({ name, pairOf }) => ({
      method: `${name}, voxels`,
      pair: pairOf(finest.solid, tool.solid),
      bytes: { body: finest.bytes, beside: 0 },
    })),
    {
      method: "MuJoCo's, voxels",
      pair: new MujocoPair(finest.solid, tool.solid),
      bytes: { body: finest.bytes, beside: 0 },
    },
  ]
}
