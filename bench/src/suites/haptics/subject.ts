/** What suite haptics measures: a trained elastic body, the paper's network of the same body, and poses that neither knows. */
import { judgePoses, runTimeMaterial } from '@pliant/train/unstable'
import {
  type BodyArtifact,
  type BodyMaterial,
  type BodyOfModes,
  boxOfPoints,
  decode,
  type ElasticField,
  load,
  type NetworkOptions,
  surfaceOfTets,
  type TetSurface,
  type WholeNetwork,
} from 'pliant'
import { boxCentre, boxDiagonal, encode, expectKind, type OnProgress } from 'pliant/unstable'
import { paperShape } from '../../networks/paper-shape.js'
import { randomTensors } from '../../networks/random-tensors.js'

/** A file of an elastic body, opened. */
export interface ElasticFile {
  bytes: Uint8Array
  artifact: BodyArtifact
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
export async function openSubject(bytes: Uint8Array, paper?: Uint8Array): Promise<HapticsSubject> {
  const ours = await openElastic(bytes, '--file')
  if (isPapers(ours)) {
    throw new Error("bench haptics: the file holds the paper's network; pass it with --paper, ours with --file.")
  }
  const theirs = await openElastic(paper ?? (await paperShaped(ours)), '--paper')
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
    material: ours.artifact.manifest.model.material,
  }
}

export function loadElastic({ artifact }: ElasticFile, options?: NetworkOptions): Promise<ElasticField> {
  return load(artifact, options)
}

async function openElastic(bytes: Uint8Array, option: string): Promise<ElasticFile> {
  const artifact = expectKind(
    await decode(bytes),
    'elastic-body',
    () => new Error(`bench haptics: ${option} holds no elastic body; pass what 'pliant train bunny' wrote.`),
  )
  return { bytes, artifact, body: artifact.body }
}

function isPapers({ artifact }: ElasticFile): boolean {
  return artifact.manifest.training.method === 'paper'
}

/** The paper's shape for this body's code, with weights of no meaning. */
function paperShaped({ artifact }: ElasticFile): Promise<Uint8Array> {
  const { manifest } = artifact
  const shape = paperShape(manifest.code.size)
  const { domain } = manifest.networks.distance
  const half = Math.max(...domain.upper.map((upper, axis) => upper - domain.lower[axis])) / 2
  const { lower, upper } = manifest.code
  const normalisation = {
    centre: boxCentre(domain),
    scale: half,
    codeOffset: lower.map((low, i) => (low + upper[i]) / 2),
    codeScale: lower.map((low, i) => 2 / (upper[i] - low)),
  }
  const distance: WholeNetwork = { kind: 'whole', shape, normalisation, domain }
  const training = { ...manifest.training, method: 'paper' }
  return encode({
    ...artifact,
    manifest: { ...manifest, networks: { distance }, training, quality: null },
    networks: { distance: randomTensors(shape) },
  })
}

/** Node positions [m] of poses by dropping that were never trained on, in the material of run time. */
export async function drawPoses(
  { ours, material }: HapticsSubject,
  count: number,
  options: { signal?: AbortSignal; onProgress?: OnProgress },
): Promise<Float64Array[]> {
  const { mesh } = ours.body
  const drops = await judgePoses(mesh, runTimeMaterial(material), count, SEED, options)
  const { length } = mesh.positions
  return Array.from({ length: drops.count }, (_, pose) =>
    Float64Array.from(drops.positions.subarray(pose * length, (pose + 1) * length)),
  )
}
