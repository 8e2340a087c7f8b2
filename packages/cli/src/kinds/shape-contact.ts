/** Spaces of shapes that tell self-contact, on the command line: they answer learned codes. */
import type { LoadedShapeContact } from '@pliant/train/unstable'
import { selfContactTable } from '@pliant/train/unstable/text'
import { load, type ShapeContactArtifact } from 'pliant'
import { exactShapeSpace, spaceShape } from 'pliant/unstable'
import { formatCount } from '../format.js'
import { inspectShapeContact } from '../inspect/shape-contact.js'
import { meshWarnings } from '../train-object.js'
import type { KindCommands, RepairCommand } from './kind-commands.js'
import { evaluatedContact } from './self-contact.js'

const CODES: RepairCommand<ShapeContactArtifact> = {
  open: (artifact, options) => load(artifact, options),
  shapeOf: ({ space, patches, manifest }) => spaceShape(exactShapeSpace(space), patches, manifest.model.neighbours),
  modelOf: ({ space }) => exactShapeSpace(space),
  hybridOf: ({ manifest }) => manifest.quality ?? undefined,
}

export const SHAPE_CONTACT: KindCommands<ShapeContactArtifact> = {
  one: 'space of shapes with self-contact',
  many: 'spaces of shapes with self-contact',
  madeBy: 'pliant train shapes.spec.json',
  inspect: inspectShapeContact,
  trained(subject, { quality }) {
    const { read } = subject as LoadedShapeContact
    const [positions] = read.shapes
    return {
      warnings: meshWarnings({ positions, triangles: read.triangles }, CONSEQUENCES),
      json: {},
      lines: [shapesLine(read), selfContactTable(quality)],
      on: 'trained',
      judged: '',
    }
  },
  selfDistance: CODES,
  repair: CODES,
  evaluate: evaluatedContact,
}

/** What each fault of a mesh does to what is learned of its shapes. */
const CONSEQUENCES = {
  'non-manifold-edge': 'all that meet there are neighbours, whose contact is left alone',
  'degenerate-face': 'they count in contact as the line that they are',
} as const

function shapesLine({ shapes, given }: LoadedShapeContact['read']): string {
  const vertices = shapes[0].length / 3
  const thinned = vertices < given ? `, thinned from ${formatCount(given)}` : ''
  return `${formatCount(shapes.length)} shapes of ${formatCount(vertices)} vertices${thinned}`
}
