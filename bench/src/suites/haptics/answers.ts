/**
 * Ways to answer queries about an elastic body that has moved and bent: from the positions of all its nodes and points in
 * the world to signed distances. Each does the whole step: a network is posed by the nodes, or by the code once the rigid
 * motion is taken away; a tree of triangles is refitted or rebuilt. Triangles are those nearest, exactly.
 */
import { exportArtifactOnnx } from '@pliant/train'
import type { BodyArtifact, ElasticField, TetSurface, WholeNetwork } from 'pliant'
import { type NearestResults, NearestTriangles } from 'pliant/detect'
import { ExactMeshField, type ExactMeshFieldOptions } from 'pliant/exact'
import { createOrtNetwork, type OrtNetwork } from 'pliant/ort'
import { gatherVertices } from 'pliant/respond'
import { BufferAttribute, BufferGeometry } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import { networkOnnx } from '../../networks/network-onnx.js'
import { type Answers, askTree, createAnswers, NO_FACE, trianglesOfFaces } from '../../queries/tree-answers.js'
import { pointsToRest } from './rest-frame.js'
import type { ElasticFile } from './subject.js'

/** One step: where the body's nodes are now, and what is asked, both in the world [m], xyz triples. */
export interface TouchFrame {
  nodes: Float64Array
  points: Float32Array
}

export interface TouchAnswers extends Answers {
  /** Nearest triangles, and how far they are without sign [m], of methods that find them. */
  triangleIds: Uint32Array
  reaches: Float64Array
}

/** Follows the body and answers all of the frame's points. */
export type TouchAnswer = (frame: TouchFrame, out: TouchAnswers) => Promise<void> | void

export function createTouchAnswers(count: number): TouchAnswers {
  return {
    ...createAnswers(count),
    faces: new Uint32Array(count),
    triangleIds: new Uint32Array(count),
    reaches: new Float64Array(count),
  }
}

/** Finds the triangles nearest to a frame's points, with the distances that `out` holds to begin with. */
export type TriangleSearch = (frame: TouchFrame, out: TouchAnswers) => void

/** @param search  left out, no triangles are found */
export function answerByNetwork(
  field: ElasticField,
  asked: { gradient: boolean; search?: TriangleSearch },
): TouchAnswer {
  return (frame, out) => {
    const { nodes, points } = frame
    const count = points.length / 3
    field.update({ nodes })
    field.query(points, count, out.distances, asked.gradient ? out.normals : undefined)
    asked.search?.(frame, out)
  }
}

/** Beyond this share of the truncation a learned distance only says "far". */
const TRUSTED = 0.8

/** `NearestTriangles`, told how far the network thinks each point is; it follows the nodes, which need not be gathered. */
export function searchPatches(surface: TetSurface, { artifact, body }: ElasticFile): TriangleSearch {
  const { truncation, quality } = artifact.manifest
  const nearest = new NearestTriangles({
    positions: body.mesh.positions,
    triangles: surface.triangles.map((vertex) => surface.nodeOfVertex[vertex]),
  })
  // Hints that are further off cost a second search, no more; half as far off are nine of ten.
  const margin = (quality?.bandError.p95 ?? TRUSTED * truncation) / 2
  let distances = new Float32Array(0)
  return ({ nodes, points }, out) => {
    const count = points.length / 3
    if (distances.length < count) distances = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      distances[i] = Math.abs(out.distances[i]) < TRUSTED * truncation ? out.distances[i] : Number.NaN
    }
    nearest.update(nodes)
    nearest.find(points, count, trianglesOf(out), { distances, margin })
  }
}

/** Where a search writes to: the signed distances stay as they are. */
export function trianglesOf({ triangleIds, reaches }: TouchAnswers): NearestResults {
  return { triangleIds, distances: reaches }
}

/** Our exported file in onnxruntime; it has gradients as a second output, which onnxruntime computes in any case. */
export async function openExport({ bytes }: ElasticFile): Promise<OrtNetwork> {
  return createOrtNetwork(await exportArtifactOnnx(bytes))
}

export function answerByExport({ body }: ElasticFile, network: OrtNetwork): TouchAnswer {
  return answerLater(body, ({ local, code }, count, out) =>
    network.query(local, count, code, out.distances, out.normals),
  )
}

/** The paper's network in onnxruntime, in its own units and distances alone. */
export function openPaperOnnx({ artifact }: ElasticFile): Promise<OrtNetwork> {
  return createOrtNetwork(networkOnnx(papersNetwork(artifact).shape, artifact.networks.distance, false))
}

function papersNetwork({ manifest }: BodyArtifact): WholeNetwork {
  const network = manifest.networks.distance
  if (network.kind === 'whole') return network
  throw new Error("bench haptics: a network in parts is not the paper's; use openExport.")
}

export function answerByPaperOnnx({ artifact, body }: ElasticFile, network: OrtNetwork): TouchAnswer {
  const { centre, scale, codeOffset, codeScale } = papersNetwork(artifact).normalisation
  return answerLater(body, async ({ local, code }, count, out) => {
    for (let i = 0; i < 3 * count; i++) local[i] = (local[i] - centre[i % 3]) / scale
    for (let i = 0; i < code.length; i++) code[i] = (code[i] - codeOffset[i]) * codeScale[i]
    await network.query(local, count, code, out.distances)
    for (let i = 0; i < count; i++) out.distances[i] *= scale
  })
}

/** Takes the rigid motion away and finds the code for a network that takes points and code together. */
function answerLater(
  { modal }: ElasticFile['body'],
  ask: (at: { local: Float32Array; code: Float64Array }, count: number, out: TouchAnswers) => Promise<void>,
): TouchAnswer {
  const frame = new Float64Array(16)
  const code = new Float64Array(modal.codeSize)
  let local = new Float32Array(0)
  return ({ nodes, points }, out) => {
    if (local.length < points.length) local = new Float32Array(points.length)
    modal.encode(nodes, code, frame)
    pointsToRest(frame, points, points.length / 3, local)
    return ask({ local, code }, points.length / 3, out)
  }
}

/**
 * Our own exact field, refitted.
 * @param asked  'distance' alone, or 'all': normal and triangle too, which come with the same search
 */
export function answerByExact(
  surface: TetSurface,
  asked: 'distance' | 'all',
  options?: ExactMeshFieldOptions,
): TouchAnswer {
  const field = new ExactMeshField(surface, options)
  const vertices = new Float64Array(surface.positions.length)
  return ({ nodes, points }, { distances, normals, triangleIds }) => {
    gatherVertices(nodes, surface.nodeOfVertex, vertices)
    field.update({ vertices })
    field.closest(points, points.length / 3, asked === 'all' ? { distances, normals, triangleIds } : { distances })
  }
}

/**
 * three-mesh-bvh at its best: typed arrays into the tree's own positions, one tree, closest point with reused targets. SAH
 * and the standard size of leaves: refits were fastest with it and queries no slower than with any other (notes).
 * @param follow  'rebuild' makes a new tree for every frame, split the quick way
 * @param reach   where the search stops [m]
 */
export function answerByBvh(surface: TetSurface, follow: 'refit' | 'rebuild', reach?: number): TouchAnswer {
  const vertices = Float32Array.from(surface.positions)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(vertices, 3))
  const index = surface.triangles.slice()
  geometry.setIndex(new BufferAttribute(index, 1))
  let bvh = new MeshBVH(geometry, { strategy: SAH })
  // A rebuilt tree keeps the order that it finds, nearly.
  const triangleOfFace = trianglesOfFaces(surface.triangles, index)
  return ({ nodes, points }, out) => {
    gatherVertices(nodes, surface.nodeOfVertex, vertices)
    if (follow === 'refit') bvh.refit()
    else bvh = new MeshBVH(geometry)
    askTree(bvh, points, out, reach)
    if (follow === 'rebuild' || !out.faces) return
    for (let i = 0; i < points.length / 3; i++) {
      out.triangleIds[i] = out.faces[i] === NO_FACE ? NO_FACE : triangleOfFace[out.faces[i]]
    }
  }
}
