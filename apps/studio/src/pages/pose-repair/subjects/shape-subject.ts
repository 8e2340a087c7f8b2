/** Shapes of one mesh by their learned code: patches of the surface light up, and its domains are what sliders go by. */
import { boxOfPoints, load, type ShapeContactArtifact } from 'pliant'
import { boxDiagonal, exactShapeSpace, spaceShape } from 'pliant/unstable'
import { posedSelfContact } from 'pliant/unstable/exact'
import { nearParts } from './near-parts.js'
import type { MotionFile, PoseSubject } from './pose-subject.js'

/** As shares of the diagonal of the reference: clearances are learned within a fortieth of it. */
const GLOW = 0.015
const MARGIN = 0.004

export async function openShapes(artifact: ShapeContactArtifact, motions: readonly MotionFile[]): Promise<PoseSubject> {
  const { manifest, space: data, patches } = artifact
  if (motions.length > 0) {
    throw new Error(`pose repair: ${motions[0].name} is a motion, ${manifest.name} has no joints; open a character.`)
  }
  const space = exactShapeSpace(data)
  const shape = spaceShape(space, patches, manifest.model.neighbours)
  const { test } = posedSelfContact(shape)
  const field = await load(artifact)
  const diagonal = boxDiagonal(boxOfPoints(data.reference.positions))
  const groupOf = (part: number): string => (part === 0 ? 'Whole' : `Domain ${part}`)
  return {
    name: manifest.name,
    backend: field.backend,
    quality: manifest.quality,
    shape,
    entries: data.parts.flatMap(({ codeSize }, part) =>
      Array.from({ length: codeSize }, (_, k) => ({
        name: String(k + 1),
        group: groupOf(part),
        readAs: { factor: 1, unit: '', decimals: 2 },
      })),
    ),
    parts: {
      ofTriangle: patches,
      groups: domainsOfPatches(space.domains, data.reference.triangles, patches, manifest.model.patches).map((domain) =>
        groupOf(domain + 1),
      ),
    },
    field,
    near: nearParts(field, (patch) => `patch ${patch + 1}`, { glow: GLOW * diagonal, margin: MARGIN * diagonal }),
    exact: test,
    motions: [],
    dispose: () => field.dispose(),
  }
}

/** The domain that most corners of each patch are of. */
function domainsOfPatches(domains: Uint32Array, triangles: Uint32Array, patches: Uint16Array, count: number): number[] {
  const most = Math.max(...domains) + 1
  const votes = new Uint32Array(count * most)
  triangles.forEach((vertex, corner) => {
    votes[patches[Math.trunc(corner / 3)] * most + domains[vertex]]++
  })
  return Array.from({ length: count }, (_, patch) => {
    const own = votes.subarray(patch * most, (patch + 1) * most)
    return own.indexOf(Math.max(...own))
  })
}
