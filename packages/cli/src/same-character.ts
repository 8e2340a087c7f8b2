/**
 * Whether a trained collider belongs to a character's file. Names say little: half the world's rigs have `mixamorig:Hips`.
 * So bones must be as long, in metres, and the surface must lie where the collider's does when both stand alike: compared
 * in the pose in which the file is, seen from the root joint, so that a file that was turned or posed otherwise passes.
 */
import type { TriangleMesh } from 'pliant'
import { type CharacterArtifact, rigFromScene } from 'pliant/character'
import type { ExactMeshField } from 'pliant/exact'
import type { GltfScene } from 'pliant/files'
import { createCharacter, invertAffine, multiplyAffine } from 'pliant/unstable'
import { asBadInput, UsageError } from './errors.js'
import { formatNumber } from './format.js'

/** How much bones may differ in length, as a share of the height. */
const BONE_TOLERANCE = 0.01
/** How far half of either surface may lie from the other, as a share of the height. */
const SURFACE_TOLERANCE = 0.01
/** Points of each surface that are compared. */
const SAMPLES = 400

/** @throws UsageError saying in what the two differ */
export async function requireSameCharacter(artifact: CharacterArtifact, scene: GltfScene, path: string): Promise<void> {
  const { character } = artifact
  const { skeleton } = character
  const rig = await asBadInput(() => rigFromScene(scene, { root: skeleton.names[skeleton.root] }), path)
  const jointOf = (name: string): number => rig.skeleton.names.indexOf(name)
  const missing = skeleton.names.find((name, joint) => skeleton.belowRoot[joint] === 1 && jointOf(name) < 0)
  if (missing !== undefined) {
    throw another(path, `it has no joint '${missing}'`)
  }
  requireBones(artifact, rig.skeleton, jointOf, path)

  const pose = skeleton.createPose()
  skeleton.names.forEach((name, joint) => {
    const other = jointOf(name)
    if (skeleton.belowRoot[joint] === 0 || other < 0) return
    for (const [part, size] of [
      ['translations', 3],
      ['rotations', 4],
      ['scales', 3],
    ] as const) {
      pose[part].set(rig.skeleton.rest[part].subarray(size * other, size * other + size), size * joint)
    }
  })
  const own = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, own)
  const given = createCharacter(rig, [])
  const theirs = new Float64Array(3 * given.vertexCount)
  given.positionsOfPose(rig.skeleton.rest, theirs)
  carry(theirs, rig.skeleton, skeleton)
  const limit = SURFACE_TOLERANCE * character.height + 3 * artifact.manifest.model.surface.meanDeviation
  // Loaded here: every call of the command would else load three.js with it.
  const exact = await import('pliant/exact')
  const apart = Math.max(
    halfWithin(exact, { positions: own, triangles: character.triangles }, theirs),
    halfWithin(exact, { positions: theirs, triangles: given.triangles }, own),
  )
  if (!(apart <= limit)) {
    const share = formatNumber((100 * apart) / character.height)
    throw another(path, `half of its surface lies ${share}% of the height or more from the collider's`)
  }
}

function another(path: string, difference: string): UsageError {
  return new UsageError(`${path} is another character: ${difference}; pass the file it was trained from.`)
}

type Bones = CharacterArtifact['character']['skeleton']

function requireBones({ character }: CharacterArtifact, other: Bones, jointOf: (name: string) => number, path: string) {
  const { skeleton, height } = character
  const [own, theirs]: number[][] = [[], []]
  const names: string[] = []
  const lengthOf = ({ restMatrices }: Bones, a: number, b: number): number =>
    Math.hypot(...[12, 13, 14].map((k) => restMatrices[16 * a + k] - restMatrices[16 * b + k]))
  skeleton.names.forEach((name, joint) => {
    const parent = skeleton.parents[joint]
    if (skeleton.belowRoot[joint] === 0) return
    own.push(lengthOf(skeleton, joint, parent))
    theirs.push(lengthOf(other, jointOf(name), jointOf(skeleton.names[parent])))
    names.push(name)
  })
  const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0)
  const ratio = sum(theirs) / sum(own)
  const worst = own.reduce((w, length, i) => (Math.abs(theirs[i] - length) > Math.abs(theirs[w] - own[w]) ? i : w), 0)
  if (own.length === 0 || Math.abs(theirs[worst] - own[worst]) <= BONE_TOLERANCE * height) return
  const scaled = own.every((length, i) => Math.abs(theirs[i] / ratio - length) <= BONE_TOLERANCE * height)
  throw another(
    path,
    scaled
      ? `it is ${formatNumber(ratio)} times as large, in another unit perhaps`
      : `the bone to '${names[worst]}' is ${formatNumber(theirs[worst])} m long, not ${formatNumber(own[worst])} m`,
  )
}

/** In place, from one skeleton's root frame to another's: by the root joint, which both have. */
function carry(points: Float64Array, from: Bones, to: Bones): void {
  const m = new Float64Array(16)
  if (!invertAffine(from.restMatrices, 16 * from.root, m, 0)) return
  multiplyAffine(to.restMatrices, 16 * to.root, m, 0, m, 0)
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]]
    for (let row = 0; row < 3; row++) points[i + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]
  }
}

/** The median distance of some vertices from a surface. */
function halfWithin(
  exact: { ExactMeshField: typeof ExactMeshField },
  mesh: TriangleMesh,
  points: Float64Array,
): number {
  const all = points.length / 3
  const count = Math.min(SAMPLES, all)
  const some = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    const at = 3 * Math.floor((i * all) / count)
    some.set(points.subarray(at, at + 3), 3 * i)
  }
  const distances = new Float64Array(count)
  new exact.ExactMeshField(mesh).query(some, count, distances)
  return distances.map(Math.abs).sort()[Math.floor(count / 2)]
}
