/**
 * What is raced: a soft body and a character in poses that neither was trained on, the soft body's surface divided finer,
 * and a tube that passes through itself. All methods get the same shapes and points; those in single precision are what
 * native programs read.
 */
import { judgePoses, runTimeMaterial } from '@pliant/train/unstable'
import { boxOfPoints, decode, type Floats, load, surfaceOfTets, type TriangleMesh } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { gatherVertices } from 'pliant/respond'
import { applyMorphTargets, boxDiagonal, skinMatrices } from 'pliant/unstable'
import { drawPointsAbout, POINT_KINDS, type PointKind } from '../../queries/query-points.js'
import { pinchedTube } from '../../shapes/pinched-tube.js'
import type { RunOptions } from '../../suite/suite.js'
import { divideEdges } from './divide-edges.js'

export interface RacedBody {
  name: string
  /** At rest. */
  surface: TriangleMesh
  frames: number
  /** Of the surface's vertices in all frames [m], one after another. */
  vertices: Float32Array
  /** The same of one frame in double precision, worked out as a user would from what moves the body. */
  surfaceAt(frame: number, out: Floats): void
  /** Points of all frames [m], equally many for each. */
  points?: Readonly<Record<PointKind, Float32Array>>
  learned?: LearnedBody
  /** Of a character: what skins it natively. */
  skin?: SkinTables
}

export interface LearnedBody {
  pose(frame: number): void
  query(points: Float32Array, count: number, distances: Float32Array, normals: Float32Array): void
  /** Where its distances end [m]. */
  truncation: number
  /** Hints for triangles are this far off in most places [m]. */
  margin: number
  dispose(): void
}

/** One that is posed and asked. */
export type LearnedRacedBody = RacedBody & { learned: LearnedBody }

export interface SkinTables {
  starts: Uint32Array
  bones: Uint16Array
  weights: Float32Array
  bound: Float32Array
  /** 16 for each bone, column-major, of all frames. */
  matrices: Float32Array
}

/** Of the poses by dropping: not the seed of training, nor that of `pliant evaluate`. */
const SEED = 3

/** @param points  of each frame and kind */
export async function softBody(
  bytes: Uint8Array,
  frames: number,
  points: number,
  options: RunOptions,
): Promise<LearnedRacedBody> {
  const artifact = await decode(bytes, 'elastic-body')
  const { truncation, quality, model } = artifact.manifest
  const { mesh } = artifact.body
  const drops = await judgePoses(mesh, runTimeMaterial(model.material), frames, SEED, options)
  const { length } = mesh.positions
  const nodes = Array.from({ length: frames }, (_, f) =>
    Float64Array.from(drops.positions.subarray(f * length, (f + 1) * length)),
  )
  const surface = surfaceOfTets(mesh)
  const field = await load(artifact)
  return withPoints(
    {
      name: 'bunny',
      surface,
      frames,
      surfaceAt: (frame, out) => gatherVertices(nodes[frame], surface.nodeOfVertex, out),
      learned: {
        pose: (frame) => field.update({ nodes: nodes[frame] }),
        query: (asked, count, distances, normals) => field.query(asked, count, distances, normals),
        truncation,
        margin: quality?.bandError.p95 ?? truncation,
        dispose: () => field.dispose(),
      },
    },
    points,
  )
}

/** @param points  of each frame and kind */
export async function skinnedBody(bytes: Uint8Array, frames: number, points: number): Promise<LearnedRacedBody> {
  const artifact = await decode(bytes, 'character')
  const { character, heldOut, manifest } = artifact
  const { skeleton, surface, vertexCount, triangles } = character
  const poses = Array.from({ length: frames }, (_, f) => heldOut[Math.floor((f * heldOut.length) / frames)])
  const positions = new Float64Array(3 * vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  const field = await load(artifact)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const { truncation, quality } = manifest
  const body = withPoints(
    {
      name: 'humanoid',
      surface: { positions, triangles },
      frames,
      surfaceAt: (frame, out) => character.positionsOfPose(poses[frame], out),
      learned: {
        pose(frame) {
          skeleton.matrices(poses[frame], matrices)
          field.update({ joints: poses[frame], matrices })
        },
        query: (asked, count, distances, normals) => field.query(asked, count, distances, normals),
        truncation,
        margin: quality?.bandError.p95 ?? truncation,
        dispose: () => field.dispose(),
      },
    },
    points,
  )
  const bound = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  return {
    ...body,
    skin: {
      starts: surface.influenceStarts,
      bones: surface.influenceBones,
      weights: surface.influenceWeights,
      bound: Float32Array.from(bound),
      matrices: matricesOf(character, poses),
    },
  }
}

function matricesOf({ skeleton, surface: { bones } }: SkinnedCharacter, poses: readonly SkeletonPose[]): Float32Array {
  const size = 16 * bones.joints.length
  const joints = new Float64Array(16 * skeleton.jointCount)
  const skin = new Float64Array(size)
  const all = new Float32Array(poses.length * size)
  for (const [frame, pose] of poses.entries()) {
    skeleton.matrices(pose, joints)
    skinMatrices(bones, joints, skin)
    all.set(skin, frame * size)
  }
  return all
}

/** The same body and points, each triangle of its surface divided in four: its poses stay the nodes'. */
export function dividedBody(body: LearnedRacedBody): LearnedRacedBody {
  const { triangles, midpoints } = divideEdges(body.surface)
  const coarse = new Float64Array(body.surface.positions.length)
  const fine = (positions: Float64Array): Float64Array => {
    const all = new Float64Array(positions.length + 1.5 * midpoints.length)
    all.set(positions)
    midpoints.forEach((vertex, i) => {
      const at = positions.length + 3 * (i >> 1)
      for (let axis = 0; axis < 3; axis++) all[at + axis] += positions[3 * vertex + axis] / 2
    })
    return all
  }
  const shapes = Array.from({ length: body.frames }, (_, frame) => {
    body.surfaceAt(frame, coarse)
    return fine(coarse)
  })
  return {
    ...body,
    name: `${body.name}+`,
    surface: { positions: fine(Float64Array.from(body.surface.positions)), triangles },
    vertices: joined(shapes),
    surfaceAt: (frame, out) => out.set(shapes[frame]),
  }
}

/** Pinched more and more, until its walls pass through each other. */
export function tube(frames: number): RacedBody {
  const shapes = Array.from({ length: frames }, (_, frame) => pinchedTube(0.2 + (0.2 * frame) / frames).positions)
  return {
    name: 'tube',
    surface: pinchedTube(0),
    frames,
    vertices: joined(shapes),
    surfaceAt: (frame, out) => out.set(shapes[frame]),
  }
}

function withPoints(body: Omit<LearnedRacedBody, 'vertices' | 'points'>, count: number): LearnedRacedBody {
  const { triangles } = body.surface
  const points: Record<PointKind, Float32Array[]> = { near: [], uniform: [] }
  const shapes: Float64Array[] = []
  for (let frame = 0; frame < body.frames; frame++) {
    const positions = new Float64Array(body.surface.positions.length)
    body.surfaceAt(frame, positions)
    shapes.push(positions)
    for (const kind of POINT_KINDS) points[kind].push(drawPointsAbout({ positions, triangles }, kind, count, frame))
  }
  return { ...body, vertices: joined(shapes), points: { near: joined(points.near), uniform: joined(points.uniform) } }
}

/** One after another, in single precision. */
function joined(arrays: readonly Floats[]): Float32Array {
  const all = new Float32Array(arrays.length * arrays[0].length)
  for (const [i, array] of arrays.entries()) all.set(array, i * array.length)
  return all
}

/** A body's vertices in a frame, as native programs read them. */
export function verticesOf({ vertices, frames }: RacedBody, frame: number): Float32Array {
  const size = vertices.length / frames
  return vertices.subarray(size * (frame % frames), size * ((frame % frames) + 1))
}

/** The first points of a frame. */
export function pointsOf({ points, frames }: RacedBody, kind: PointKind, frame: number, count: number): Float32Array {
  const all = points![kind]
  const size = all.length / frames
  return all.subarray(size * (frame % frames), size * (frame % frames) + 3 * count)
}

/** Of the box at rest [m]. */
export function diagonalOf({ surface }: RacedBody): number {
  return boxDiagonal(boxOfPoints(surface.positions))
}
