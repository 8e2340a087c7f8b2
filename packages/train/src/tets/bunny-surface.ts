/** The Stanford bunny's closed surface (package `bunny`, public domain): 1,839 vertices, 3,674 triangles. */
import bunny from 'bunny'
import type { TriangleMesh } from 'pliant'

/** Scale that lets it stand 0.154 m tall, as the clay rabbit that was scanned. */
const UNIT = 0.016

/** In metres, +Y up, facing outward. */
export function bunnySurface(): TriangleMesh & { positions: Float64Array } {
  return {
    positions: Float64Array.from(bunny.positions.flat(), (value) => UNIT * value),
    triangles: Uint32Array.from(bunny.cells.flat()),
  }
}
