/** Shapes of one mesh as somebody has them: many files, a sequence of vertices, or a rig with clips or joint ranges. */

import { validateMesh } from 'pliant'
import { trianglesOf } from 'pliant/files'
import { createCharacter, readAnime } from 'pliant/unstable'
import { asBadInput, BadInput } from '../input/bad-input.js'
import type { NamedFiles } from '../input/named-files.js'
import { decimateShapes, takeVertices } from '../modes/decimate-shapes.js'
import { clipFrames } from '../poses/clip-poses.js'
import { evenlyFrom } from '../poses/evenly-from.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { loadCharacter } from './character.js'
import { inMetres } from './in-metres.js'
import { SHAPE_DEFAULTS, type ShapeContactModel } from './shape-contact.js'

export interface ReadShapes {
  triangles: Uint32Array
  /** Vertices of each [m], xyz triples; the first is the one that others are compared with. */
  shapes: Float32Array[]
  /** Vertices that the files have. */
  given: number
}

/** Frames a second at which clips are looked at. */
const FRAMES_PER_SECOND = 30
/** Meshes that have so many times as many vertices as wanted are thinned. */
const THINNED = 1.2

/** @throws BadInput if a file cannot be read, or its mesh is another than that of the first */
export async function readShapes(spec: TrainSpec, model: ShapeContactModel, files: NamedFiles): Promise<ReadShapes> {
  const read = await readAll(spec, model, files)
  requireSurface(read, model.meshes)
  const { scale = 1, vertices = SHAPE_DEFAULTS.vertices } = model
  const shapes = scale === 1 ? read.shapes : read.shapes.map((shape) => shape.map((value) => scale * value))
  const given = shapes[0].length / 3
  if (given <= THINNED * vertices) return { ...read, shapes, given }
  const fewer = decimateShapes({ positions: shapes[0], triangles: read.triangles }, vertices)
  return { triangles: fewer.triangles, shapes: shapes.map((shape) => takeVertices(shape, fewer.vertices)), given }
}

type Meshes = Pick<ReadShapes, 'triangles' | 'shapes'>

async function readAll(spec: TrainSpec, model: ShapeContactModel, files: NamedFiles): Promise<Meshes> {
  const { meshes, shapes: most = SHAPE_DEFAULTS.shapes } = model
  if (/[*?]/.test(meshes)) return readMany(meshes, files)
  if (/\.anime$/i.test(meshes)) {
    const bytes = await files.bytes(meshes)
    const { triangles, frames } = await asBadInput(() => readAnime(bytes), meshes)
    return { triangles, shapes: evenlyFrom(frames, most).map((frame) => Float32Array.from(frame)) }
  }
  if (/\.(glb|gltf)$/i.test(meshes)) return bakeRig(spec, meshes, most, files)
  throw new BadInput(
    `spec: model.meshes is ${meshes}; give many meshes by a name with *, a sequence (.anime), or a rigged glTF file.`,
  )
}

async function readMany(pattern: string, files: NamedFiles): Promise<Meshes> {
  const paths = await files.matching(pattern)
  if (paths.length < 2) {
    throw new BadInput(
      `spec: model.meshes ${pattern} is ${paths.length === 0 ? 'no file' : `one file, ${paths[0]}`}; shapes of one mesh are learned from many.`,
    )
  }
  const shapes: Float32Array[] = []
  let triangles: Uint32Array | undefined
  for (const path of paths) {
    const mesh = await asBadInput(async () => inMetres(trianglesOf(await files.mesh(path))), path)
    triangles ??= mesh.triangles
    requireSame(triangles, shapes[0]?.length ?? mesh.positions.length, mesh, path, paths[0])
    shapes.push(Float32Array.from(mesh.positions))
  }
  return { triangles: triangles!, shapes }
}

/** @throws BadInput if vertices are part of nothing: features of shapes are told by the triangles around each */
function requireSurface({ shapes, triangles }: Meshes, meshes: string): void {
  const issues = validateMesh({ positions: shapes[0], triangles })
  const fault = issues.find(({ severity, kind }) => severity === 'error' || kind === 'unreferenced-vertex')
  if (fault) throw new BadInput(`${meshes}: ${fault.message}; mend the meshes, all alike.`)
}

/** @throws BadInput saying in what a mesh is another than the first */
function requireSame(
  triangles: Uint32Array,
  length: number,
  mesh: { positions: ArrayLike<number>; triangles: Uint32Array },
  path: string,
  first: string,
): void {
  if (mesh.positions.length !== length) {
    throw new BadInput(
      `${path} has ${mesh.positions.length / 3} vertices, ${first} has ${length / 3}; all must be shapes of one mesh, vertex by vertex.`,
    )
  }
  const other = mesh.triangles.findIndex((vertex, i) => vertex !== triangles[i])
  if (other >= 0 || mesh.triangles.length !== triangles.length) {
    const at = Math.trunc((other < 0 ? Math.min(mesh.triangles.length, triangles.length) : other) / 3)
    throw new BadInput(
      `${path} has other triangles than ${first}, from triangle ${at} on; all must be shapes of one mesh, in the same order.`,
    )
  }
}

/** A rig at rest, then in poses of its clips, or within its joints' ranges if it has none. */
async function bakeRig(spec: TrainSpec, path: string, most: number, files: NamedFiles): Promise<Meshes> {
  const { rig, clips } = await loadCharacter(spec, { rig: path }, files)
  const character = await asBadInput(() => createCharacter(rig, clips, { extremities: true }), path)
  const frames = evenlyFrom(clipFrames(character, clips, FRAMES_PER_SECOND), most - 1)
  const poses = [rig.skeleton.rest, ...frames.map(({ pose }) => pose)]
  return {
    triangles: character.triangles,
    shapes: poses.map((pose) => {
      const shape = new Float32Array(3 * character.vertexCount)
      character.positionsOfPose(pose, shape)
      return shape
    }),
  }
}
