/**
 * Where the patches of a shape are at codes, and how they are turned: of each patch the rigid motion that carries its vertices
 * at rest, seen from their middle, nearest to where they are.
 */
import type { PosedShape } from 'pliant/exact'
import { FRAME_SIZE, RigidAlignment } from 'pliant/unstable'
import { moved } from '../pool/index.js'
import type { SurfacePatches } from '../surface/surface-patches.js'

/** Of each patch its vertices, and where their middle is at rest [m]. */
export interface PatchMiddles {
  vertices: Uint32Array[]
  middles: Float64Array
}

/** @param rest  all vertices at rest [m] */
export function patchMiddles({ count, ofVertex }: SurfacePatches, rest: Float64Array): PatchMiddles {
  const vertices = Array.from({ length: count }, (_, patch) =>
    Uint32Array.from(ofVertex.keys()).filter((vertex) => ofVertex[vertex] === patch),
  )
  const middles = Float64Array.from({ length: 3 * count }, (_, i) => {
    const own = vertices[Math.trunc(i / 3)]
    return own.reduce((sum, vertex) => sum + rest[3 * vertex + (i % 3)], 0) / own.length
  })
  return { vertices, middles }
}

export function frameTasks(shape: PosedShape, rest: Float64Array, patches: SurfacePatches) {
  const positions = new Float64Array(rest.length)
  const matrix = new Float64Array(16)
  // Once they are asked: patches of a file are known by their triangles, and some may be left without a vertex.
  let fits: PatchFit[] | undefined
  return {
    /** Twelve numbers of each patch, three rows of four, for each code. */
    frames({ codes }: { codes: Float32Array }) {
      fits ??= patchFits(patches, rest)
      const count = codes.length / shape.codeSize
      const out = new Float32Array(count * fits.length * FRAME_SIZE)
      let at = 0
      for (let row = 0; row < count; row++) {
        shape.positions(codes.subarray(row * shape.codeSize, (row + 1) * shape.codeSize), positions)
        for (const { own, here, alignment } of fits) {
          gather(positions, own, here)
          alignment.align(here, matrix)
          for (let i = 0; i < FRAME_SIZE; i++) out[at++] = matrix[4 * (i % 4) + Math.trunc(i / 4)]
        }
      }
      return moved(out, out)
    },
  }
}

interface PatchFit {
  own: Uint32Array
  /** Room for its vertices. */
  here: Float64Array
  alignment: RigidAlignment
}

function patchFits(patches: SurfacePatches, rest: Float64Array): PatchFit[] {
  const { vertices, middles } = patchMiddles(patches, rest)
  return vertices.map((own, patch) => {
    const here = new Float64Array(3 * own.length)
    gather(rest, own, here)
    for (let i = 0; i < here.length; i++) here[i] -= middles[3 * patch + (i % 3)]
    return { own, here, alignment: new RigidAlignment(here, new Float64Array(own.length).fill(1)) }
  })
}

function gather(from: Float64Array, vertices: Uint32Array, out: Float64Array): void {
  for (let i = 0; i < vertices.length; i++) {
    for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = from[3 * vertices[i] + axis]
  }
}
