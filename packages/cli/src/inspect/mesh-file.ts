/** What a mesh file holds: a surface, a body of tetrahedra, or a rig with its clips. */
import { type TetMesh, type TriangleMesh, validateTets } from 'pliant'
import { type GltfScene, trianglesOf } from 'pliant/files'
import { tetVolume } from 'pliant/unstable'
import { asBadInput } from '../errors.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import type { Report } from '../output.js'
import { readMesh } from '../surface.js'
import { describeLearning } from './character.js'
import { issueRows } from './issues.js'
import { type Described, describeMesh } from './mesh.js'

export async function inspectMeshFile(path: string): Promise<Report> {
  const file = await readMesh(path)
  const surface = describeMesh(await asBadInput(() => trianglesOf(file), path))
  if (file.kind === 'tetrahedra') return report(path, 'tetrahedra', file.format, describeTets(file.mesh, surface))
  if (file.kind === 'gltf') {
    const { scene } = file
    return report(path, 'rig', file.format, await asBadInput(() => describeRig(scene, surface), path))
  }
  return report(path, 'mesh', file.format, await withSoftBody(surface, await asBadInput(() => trianglesOf(file), path)))
}

/** Triangles up to which it is worked out whether a surface can be filled: some seconds. */
const MOST_CHECKED = 300_000

/** Whether the surface can be trained as a soft body, in the words in which training would refuse it. */
async function withSoftBody({ json, rows }: Described, mesh: TriangleMesh): Promise<Described> {
  if (mesh.triangles.length > 3 * MOST_CHECKED)
    return { json, rows: [...rows, ['as a soft body', 'not checked: too large']] }
  const { requireFillable } = await import('@pliant/train/unstable')
  let refused: string | null = null
  try {
    requireFillable(mesh)
  } catch (error) {
    refused = (error as Error).message.replace(/^tetrahedralise: /, '').replace(/\.$/, '')
  }
  return {
    json: { ...json, softBody: { refused } },
    rows: [...rows, ['as a soft body', refused === null ? 'can be filled with tetrahedra' : `refused: ${refused}`]],
  }
}

function report(path: string, kind: string, format: string, { json, rows }: Described): Report {
  const text = labelled([['file', `${path}: ${kind}, ${format}`], ...rows])
  return { json: { kind, file: path, format, ...json }, text }
}

function describeTets(mesh: TetMesh, surface: Described): Described {
  const [nodes, tetrahedra] = [mesh.positions.length / 3, mesh.tetrahedra.length / 4]
  let volume = 0
  for (let tet = 0; tet < tetrahedra; tet++) volume += tetVolume(mesh, tet)
  const issues = validateTets(mesh)
  return {
    json: { nodes, tetrahedra, volume, issues, surface: surface.json },
    rows: [
      ['nodes', formatCount(nodes)],
      ['tetrahedra', formatCount(tetrahedra)],
      ['volume', `${formatNumber(volume)} m^3`],
      ...issueRows(issues),
      ...underSurface(surface),
    ],
  }
}

async function describeRig(scene: GltfScene, surface: Described): Promise<Described> {
  const meshes = scene.meshes.map((mesh) => ({
    name: mesh.name,
    vertices: mesh.positions.length / 3,
    triangles: mesh.triangles.length / 3,
    joints: mesh.skin >= 0 ? scene.skins[mesh.skin].joints.length : 0,
    morphTargets: mesh.morphTargets.length,
  }))
  const learning = await describeLearning(scene)
  const joints = new Set(scene.skins.flatMap((skin) => skin.joints)).size
  const clips = scene.animations.map(({ name, duration }) => ({ name, seconds: duration }))
  const meshRows = meshes.map((mesh): [string, string] => [
    `mesh '${mesh.name}'`,
    `${formatCount(mesh.vertices)} vertices, ${formatCount(mesh.triangles)} triangles, ` +
      `${mesh.joints} joints, ${mesh.morphTargets} morph targets`,
  ])
  return {
    json: { meshes, joints, clips, ...learning.json, surface: surface.json },
    rows: [
      ...meshRows,
      ['joints', joints > 0 ? formatCount(joints) : 'none: it does not bend'],
      ...clips.map(({ name, seconds }): [string, string] => [`clip '${name}'`, formatSeconds(seconds)]),
      ...learning.rows,
      ...underSurface(surface),
    ],
  }
}

function underSurface(surface: Described): [string, string][] {
  return [['surface', 'of all triangles, at rest:'], ...surface.rows.map(([k, v]): [string, string] => [`  ${k}`, v])]
}
