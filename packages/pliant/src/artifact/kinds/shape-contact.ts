/**
 * A learned space of shapes of one mesh, and how near each of its shapes is to touching itself (Tan et al.): by how far patches
 * of its surface are apart, or by the paper's collision detector. Which triangles may touch is in the file, and the space is
 * stored as it was learned, in single precision: an exact test at run time sees what the labels saw.
 */
import { DomainDepths } from '../../learned/collision-state.js'
import type { ShapeSpaceData, StoredNetwork, StoredPart } from '../../learned/create-shape-space.js'
import { PartsContactField } from '../../learned/parts-contact.js'
import { ACAP_CHANNELS } from '../../model/acap/channels.js'
import { CollisionDetector } from '../../net/collision-state/collision-detector.js'
import { type DenseShape, denseTensors } from '../../net/dense/dense-shape.js'
import { PieceFrames } from '../../net/gaps/piece-frames.js'
import { PosedGapNetwork } from '../../net/gaps/posed-gap-network.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { notNegative, object, positive, size32, wholeUpTo, wrong } from '../checks.js'
import { narrowest } from '../compact.js'
import type { Envelope } from '../manifest.js'
import type { CollisionStateNetwork } from '../networks/collision-state.js'
import { checkDenseShape } from '../networks/dense.js'
import { type FramedGapsNetwork, pieceShape } from '../networks/framed-gaps.js'
import { type SelfContactQuality, selfDistance } from '../self-contact-quality.js'
import { type Tensors, take, takeIndices } from '../take.js'
import { requireBox } from './code-box.js'
import { boundsOf } from './linear-modes.js'
import type { AnyArtifact, ModelKind } from './model-kind.js'

/** Of a space of shapes that tells self-contact: its mesh, its networks, and what counts as contact. */
export interface ShapeContactModel {
  /** Name of the kind. */
  kind: 'shape-contact'
  /** Number of vertices; a count. */
  vertices: number
  /** Number of triangles; a count. */
  triangles: number
  /** How much fits of rings count when shapes are restored from features. */
  fitWeight: number
  /** Features are their mean plus this times a number. */
  scale: number
  /** The whole, then one for each domain: how many vertices, and the networks from their features to a code and back. */
  parts: { vertices: number; codeSize: number; encoder: DenseShape; decoder: DenseShape }[]
  /** How many patches the surface is cut into. */
  patches: number
  /** Which triangles are neighbours, as shares of the diagonal of the reference (`NeighbourRule` of pliant/exact). */
  neighbours: { along: number; near: number }
  /** Clearance at the boundary, or depth of the paper's network [m], that a unit of the distance is worth, in the mean. */
  metres: number
  /** How many shapes it was learned around; none: codes were drawn evenly from the box. */
  around: number
}

/** A network that tells self-contact of a space of shapes: how far patches are apart, or the paper's. */
export type ShapeContactNetwork = FramedGapsNetwork | CollisionStateNetwork

/** What a file that answers how near shapes are to self-contact says of itself. */
export interface ShapeContactManifest extends Envelope<ShapeContactModel, { distance: ShapeContactNetwork }> {
  /** Signed distances of codes. */
  kind: 'self-distance'
  /** How good it was measured to be; null if its answers were no numbers. */
  quality: SelfContactQuality | null
}

/** A space of shapes with what tells their self-contact, decoded from its file. */
export interface ShapeContactArtifact extends AnyArtifact<ShapeContactManifest> {
  /** Tells it from other artifacts. */
  kind: 'shape-contact'
  /** What the file says of itself. */
  manifest: ShapeContactManifest
  /** Tensors of each network that the manifest names. */
  networks: { distance: NetworkTensors }
  /** The space, as `createShapeSpace` takes it. */
  space: ShapeSpaceData
  /** Patch of each triangle. */
  patches: Uint16Array
  /** Patches of each pair that the network tells apart, two numbers each; may be none. */
  pairs: Uint32Array
  /** Codes of the shapes it was learned around, one after the other; none if codes were drawn evenly from the box. */
  around: Float32Array
}

/** Far more than anybody learns. */
const MOST_PARTS = 4096
const MOST_PATCHES = 65_536
const MOST_AROUND = 65_536

export const kind: ModelKind<ShapeContactArtifact, PartsContactField> = {
  answers: selfDistance,
  networks: { distance: ['framed-gaps', 'collision-state'] },
  check(model) {
    size32(model['vertices'], 'model.vertices')
    size32(model['triangles'], 'model.triangles')
    notNegative(model['fitWeight'], 'model.fitWeight')
    positive(model['scale'], 'model.scale')
    wholeUpTo(model['patches'], MOST_PATCHES, 'model.patches', 1)
    checkParts(model)
    const neighbours = object(model['neighbours'], 'model.neighbours')
    for (const key of ['along', 'near']) notNegative(neighbours[key], `model.neighbours.${key}`)
    positive(model['metres'], 'model.metres')
    wholeUpTo(model['around'], MOST_AROUND, 'model.around')
  },
  context: ({ code }) => ({ codeSize: code.size, joints: 0, nodes: 0 }),
  store({ manifest: { model, code }, space, patches, pairs, around }, tensors) {
    storeSpace(space, tensors)
    tensors.set('patches', { shape: [model.triangles], data: narrowest(patches, model.patches) })
    if (pairs.length > 0) tensors.set('pairs', { shape: [pairs.length / 2, 2], data: narrowest(pairs, model.patches) })
    if (around.length > 0) tensors.set('around', { shape: [around.length / code.size, code.size], data: around })
  },
  take({ model, code, networks: { distance } }, tensors) {
    requireBox(code)
    const sizes = model.parts.reduce((sum, { codeSize }) => sum + codeSize, 0)
    if (sizes !== code.size) throw wrong('model.parts', sizes, `as many code values as the code has, ${code.size}`)
    const space = takeSpace(model, boundsOf(code), tensors)
    const patches = Uint16Array.from(takeIndices(tensors, 'patches', [model.triangles], model.patches))
    const around =
      model.around > 0 ? take(tensors, 'around', [model.around, code.size], Float32Array) : new Float32Array(0)
    if (distance.kind === 'collision-state') return { space, patches, pairs: new Uint32Array(0), around }
    const pairs = takeIndices(tensors, 'pairs', [distance.shape.pairs, 2], model.patches)
    return { space, patches, pairs, around }
  },
  async field({ manifest, networks, pairs }, options) {
    const network = manifest.networks.distance
    const bounds = boundsOf(manifest.code)
    if (network.kind === 'collision-state') {
      const detector = await CollisionDetector.create(network.shape, networks.distance, options)
      return new PartsContactField(detector, bounds, { depths: new DomainDepths(detector, bounds) })
    }
    const frames = await PieceFrames.create(pieceShape(network), networks.distance, options)
    const gaps = await PosedGapNetwork.create(network.shape, networks.distance, frames, options)
    return new PartsContactField(gaps, bounds, { parts: { network: gaps, pairs, metres: manifest.model.metres } })
  },
}

/** @throws Error naming the first part that is missing or wrong */
function checkParts({ parts, vertices }: Record<string, unknown>): void {
  if (!Array.isArray(parts) || parts.length < 1 || parts.length > MOST_PARTS) {
    throw wrong('model.parts', parts, `a list of 1 to ${MOST_PARTS}`)
  }
  parts.forEach((value, i) => {
    const path = `model.parts[${i}]`
    const part = object(value, path)
    wholeUpTo(part['vertices'], vertices as number, `${path}.vertices`, 1)
    size32(part['codeSize'], `${path}.codeSize`)
    const [count, codeSize] = [ACAP_CHANNELS * (part['vertices'] as number), part['codeSize'] as number]
    const encoder = checkDenseShape(part['encoder'], `${path}.encoder`)
    const decoder = checkDenseShape(part['decoder'], `${path}.decoder`)
    if (encoder.inputs !== count) throw wrong(`${path}.encoder.inputs`, encoder.inputs, `${count}, nine a vertex`)
    if (decoder.outputs !== count) throw wrong(`${path}.decoder.outputs`, decoder.outputs, `${count}, nine a vertex`)
    if (encoder.outputs !== codeSize) throw wrong(`${path}.encoder.outputs`, encoder.outputs, String(codeSize))
    if (decoder.inputs !== codeSize) throw wrong(`${path}.decoder.inputs`, decoder.inputs, String(codeSize))
  })
}

const NETWORKS = ['encoder', 'decoder'] as const

function storeSpace({ reference, mean, parts }: ShapeSpaceData, tensors: Tensors): void {
  const { positions, triangles } = reference
  const vertices = positions.length / 3
  tensors.set('space.reference', { shape: [vertices, 3], data: Float32Array.from(positions) })
  tensors.set('space.triangles', { shape: [triangles.length / 3, 3], data: narrowest(triangles, vertices) })
  tensors.set('space.mean', { shape: [vertices, ACAP_CHANNELS], data: mean })
  parts.forEach((part, i) => {
    tensors.set(`space.${i}.vertices`, { shape: [part.vertices.length], data: narrowest(part.vertices, vertices) })
    tensors.set(`space.${i}.attention`, { shape: [part.attention.length], data: part.attention })
    for (const name of NETWORKS) storeNetwork(part[name], `space.${i}.${name}`, tensors)
  })
}

function storeNetwork({ shape, tensors: values }: StoredNetwork, path: string, tensors: Tensors): void {
  for (const [name, dims] of denseTensors(shape)) {
    tensors.set(`${path}.${name}`, { shape: dims, data: values.get(name)! })
  }
}

/** @throws Error if a tensor is missing, of another shape, or names vertices that are not there */
function takeSpace(
  { vertices, triangles, fitWeight, scale, parts }: ShapeContactModel,
  bounds: ShapeSpaceData['bounds'],
  tensors: Tensors,
): ShapeSpaceData {
  const positions = Float64Array.from(take(tensors, 'space.reference', [vertices, 3], Float32Array))
  return {
    reference: { positions, triangles: takeIndices(tensors, 'space.triangles', [triangles, 3], vertices) },
    mean: take(tensors, 'space.mean', [vertices, ACAP_CHANNELS], Float32Array),
    fitWeight,
    scale,
    bounds,
    parts: parts.map(
      (part, i): StoredPart => ({
        codeSize: part.codeSize,
        vertices: takeIndices(tensors, `space.${i}.vertices`, [part.vertices], vertices),
        attention: take(tensors, `space.${i}.attention`, [part.vertices], Float32Array),
        encoder: takeNetwork(part.encoder, `space.${i}.encoder`, tensors),
        decoder: takeNetwork(part.decoder, `space.${i}.decoder`, tensors),
      }),
    ),
  }
}

function takeNetwork(shape: DenseShape, path: string, tensors: Tensors): StoredNetwork {
  const all = [...denseTensors(shape)]
  return {
    shape,
    tensors: new Map(all.map(([name, dims]) => [name, take(tensors, `${path}.${name}`, dims, Float32Array)])),
  }
}

/** What a manifest says of a space of shapes. */
export function describeSpace({
  reference,
  fitWeight,
  scale,
  parts,
}: ShapeSpaceData): Pick<ShapeContactModel, 'vertices' | 'triangles' | 'fitWeight' | 'scale' | 'parts'> {
  return {
    vertices: reference.positions.length / 3,
    triangles: reference.triangles.length / 3,
    fitWeight,
    scale,
    parts: parts.map(({ vertices, codeSize, encoder, decoder }) => ({
      vertices: vertices.length,
      codeSize,
      encoder: encoder.shape,
      decoder: decoder.shape,
    })),
  }
}
