/** A body of few modes: it has no parts, so all of it lights up, by the distance in the space of its codes. */
import { load, type SelfContactArtifact } from 'pliant'
import { movedPoints } from 'pliant/unstable'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { fieldAsClearance } from './field-as-clearance.js'
import type { MotionFile, PoseSubject } from './pose-subject.js'

/** In the unit of the code: the box of codes is some units wide. */
const GLOW = 0.15
const MARGIN = 0.01

const GROUP = 'Modes'

export async function openModalBody(
  artifact: SelfContactArtifact,
  motions: readonly MotionFile[],
): Promise<PoseSubject> {
  const { manifest, model } = artifact
  if (motions.length > 0) {
    throw new Error(`pose repair: ${motions[0].name} is a motion, ${manifest.name} has no joints; open a character.`)
  }
  const { codeSize, bounds, vertexCount, triangles } = model
  const field = await load(artifact)
  return {
    name: manifest.name,
    backend: field.backend,
    quality: manifest.quality,
    shape: {
      codeSize,
      bounds,
      vertexCount,
      triangles,
      positions: (code, out) => model.positions(code, out),
      movedPoints: (vertices) => movedPoints(model, vertices),
    },
    entries: manifest.code.names.map((name) => ({
      name,
      group: GROUP,
      readAs: { factor: 1, unit: '', decimals: 2 },
    })),
    parts: { ofTriangle: new Uint16Array(triangles.length / 3), groups: [GROUP] },
    field,
    near: {
      field: fieldAsClearance(field),
      ofPair: Uint16Array.of(0, 0),
      names: ['the body'],
      unit: 'code',
      glow: GLOW,
      margin: MARGIN,
    },
    exact: new LinearSelfContact(model),
    motions: [],
    dispose: () => field.dispose(),
  }
}
