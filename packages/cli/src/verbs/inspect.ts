/** `pliant inspect`: what a file is, what is wrong with it, and what to do. */

import { fileKind } from '@pliant/train/unstable/input'
import { extractCollider } from 'pliant/files'
import { looksLikeBvh } from 'pliant/unstable'
import { asBadInput } from '../errors.js'
import { readInput } from '../files.js'
import { inspectArray } from '../inspect/array.js'
import { inspectArtifact } from '../inspect/artifact.js'
import { inspectMeshFile } from '../inspect/mesh-file.js'
import { inspectMotion } from '../inspect/motion.js'
import type { Verb } from '../verb.js'

export const inspect: Verb = {
  name: 'inspect',
  summary: 'says what a mesh, tetrahedra, rig, motion, artifact or array is, and what is wrong with it',
  operands: [{ name: 'FILE', help: 'any file that another verb reads or writes' }],
  options: {},
  examples: ['pliant inspect bunny.obj', 'pliant inspect bar.safetensors --json'],
  json: {
    kind: "'mesh', 'tetrahedra', 'rig', 'motion', 'artifact' or 'array'",
    file: 'its path',
    format: 'mesh, tetrahedra, rig: obj, ply, gltf, ...; artifact: version of the format',
    vertices: 'mesh',
    triangles: 'mesh',
    closed: 'mesh: whether it has a well-defined inside',
    volume: 'mesh, tetrahedra: [m^3], null for a mesh that is not closed',
    area: 'mesh: [m^2]',
    box: 'mesh: { lower, upper } [m]',
    diagonal: 'mesh: of the box [m]',
    issues: 'mesh, tetrahedra: list of { kind, severity, count, message, at }',
    softBody: 'mesh: { refused }: why it cannot be filled with tetrahedra, null if it can',
    nodes: 'tetrahedra',
    tetrahedra: 'tetrahedra: how many',
    surface: 'tetrahedra, rig: the keys of a mesh, for all their triangles',
    meshes: 'rig: list of { name, vertices, triangles, joints, morphTargets }',
    joints: 'rig: how many; motion: list of { name, part of a body or null }',
    frames: 'motion: how many',
    framesPerSecond: 'motion',
    seconds: 'motion: from the first frame to the last',
    height: 'motion: of the standing body, in units of the file',
    unit: 'motion: { name, metres }: a guess by the height',
    firstFrame: 'motion: { isReference, why }: whether it was put before the motion to compare by',
    clips: 'rig: list of { name, seconds }',
    learning:
      'rig: what training would learn: { height, codeSize, joints, dropped, leftOutMeshes, clips: { train, heldOut, leftOut: { name, reason }[] } }, or null without clips',
    ranges:
      'rig without clips: how far joints would bend in training: list of { joint, part, flex, side, twist } [degrees from rest]',
    collider: 'rig: the keys of the artifact that a GLB carries; left out if it carries none',
    skeleton: 'character: { names, root }',
    heldOut: 'character: poses and clips that its quality was measured on',
    bytes: 'artifact: size of the file',
    field: 'artifact: what it answers',
    name: 'artifact',
    code: 'artifact: { size, lower, upper, names, how }',
    model: 'artifact: { kind, vertices, triangles }, and what its kind holds beside (docs/artifact.md)',
    network: 'artifact: its shape',
    parameters: 'artifact: how many',
    multiplications: 'artifact: of one query once posed',
    domain: 'artifact: { lower, upper } [m], where the network answers',
    truncation: 'artifact: distances are learned up to here [m]',
    training: 'artifact: { method, seed, specHash, steps, poses, labels }',
    quality: 'artifact: measured against exact geometry, or null',
    safetyMargin: 'artifact: [m], or null',
    fault: 'artifact: why its training marked it as bad, or null',
    shape: 'array',
    dtype: 'array: float32, int64, ...',
    min: 'array: smallest finite value, or null',
    max: 'array: largest finite value, or null',
    notFinite: 'array: how many values are NaN or infinite',
  },
  async run({ args }) {
    const [path] = args.operands
    const bytes = await readInput(path)
    const kind = fileKind(bytes)
    if (kind === 'array') return inspectArray(path, bytes)
    if (kind === 'artifact') return inspectArtifact(path, bytes)
    if (looksLikeBvh(bytes)) return inspectMotion(path, bytes)
    const mesh = await inspectMeshFile(path)
    const carried = await asBadInput(() => extractCollider(bytes), path)
    if (!carried) return mesh
    const collider = await inspectArtifact(path, carried)
    return {
      json: { ...mesh.json, collider: collider.json },
      text: `${mesh.text}\n\nIt carries a collider:\n${collider.text}`,
    }
  },
}
