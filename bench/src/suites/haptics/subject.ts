/** What suite haptics measures: a trained elastic body, the paper's network of the same body, and poses that neither knows. */
import { judgePoses, runTimeMaterial } from '@pliant/train'
import {
  type Artifact,
  type BodyMaterial,
  type BodyOfModes,
  boxDiagonal,
  boxOfPoints,
  decodeArtifact,
  type ElasticField,
  encodeArtifact,
  loadElasticField,
  type NetworkOptions,
  surfaceOfTets,
  type TetSurface,
} from 'pliant'
import { paperShape } from '../../networks/paper-shape.js'
import { randomTensors } from '../../networks/random-tensors.js'

/** A file of an elastic body, opened. */
export interface ElasticFile {
  bytes: Uint8Array
  artifact: Artifact
  body: BodyOfModes
}

export interface HapticsSubject {
  ours: ElasticFile
  paper: ElasticFile & {
    /** Without its file the weights are random: good for times only. */
    trained: boolean
  }
  surface: TetSurface
  /** Of the body's box at rest [m]. */
  diagonal: number
  /** What it was made of in training. */
  material: BodyMaterial
}

/** Of the poses that are timed: not the seed of training, nor that of `pliant evaluate`. */
const SEED = 3

/**
 * @param paper  the file of the paper's network; left out, one of the same shape with random weights
 * @throws Error if a file holds no elastic body, or the other's network, or the two are of different bodies
 */
export function openSubject(bytes: Uint8Array, paper?: Uint8Array): HapticsSubject {
  const ours = openElastic(bytes, '--file')
  const { model } = ours.artifact.manifest
  if (isPapers(ours)) {
    throw new Error("bench haptics: the file holds the paper's network; pass it with --paper, ours with --file.")
  }
  const theirs = openElastic(paper ?? paperShaped(ours), '--paper')
  if (!isPapers(theirs)) {
    throw new Error("bench haptics: --paper holds no network of the paper's; train it with --method paper.")
  }
  const nodes = theirs.body.mesh.positions
  if (!ours.body.mesh.positions.every((value, i) => value === nodes[i])) {
    throw new Error('bench haptics: --paper is of another body; train it on the same tetrahedra.')
  }
  return {
    ours,
    paper: { ...theirs, trained: paper !== undefined },
    surface: surfaceOfTets(ours.body.mesh),
    diagonal: boxDiagonal(boxOfPoints(ours.body.mesh.positions)),
    // Checked when it was opened.
    material: (model as Extract<typeof model, { kind: 'elastic-body' }>).material,
  }
}

export function loadElastic({ artifact }: ElasticFile, options?: NetworkOptions): Promise<ElasticField> {
  return loadElasticField(artifact, options)
}

function openElastic(bytes: Uint8Array, option: string): ElasticFile {
  const artifact = decodeArtifact(bytes)
  const { body } = artifact
  if (!body || artifact.manifest.model.kind !== 'elastic-body') {
    throw new Error(`bench haptics: ${option} holds no elastic body; pass what 'pliant train bunny' wrote.`)
  }
  return { bytes, artifact, body }
}

function isPapers({ artifact }: ElasticFile): boolean {
  return artifact.manifest.training.method === 'paper'
}

/** The paper's shape for this body's code, with weights of no meaning. */
function paperShaped({ artifact }: ElasticFile): Uint8Array {
  const { manifest } = artifact
  const network = paperShape(manifest.code.size)
  const training = { ...manifest.training, method: 'paper' }
  return encodeArtifact({
    ...artifact,
    manifest: { ...manifest, network, training, quality: null },
    network: randomTensors(network),
  })
}

/** Node positions [m] of poses by dropping that were never trained on, in the material of run time. */
export async function drawPoses(
  { ours, material }: HapticsSubject,
  count: number,
  options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
): Promise<Float64Array[]> {
  const { mesh } = ours.body
  const drops = await judgePoses(mesh, runTimeMaterial(material), count, SEED, options)
  const { length } = mesh.positions
  return Array.from({ length: drops.count }, (_, pose) =>
    Float64Array.from(drops.positions.subarray(pose * length, (pose + 1) * length)),
  )
}
