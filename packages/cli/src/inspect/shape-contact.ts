/** What a space of shapes with self-contact is, what its code means, what counts as contact, and how good it was measured to be. */
import type { ShapeContactArtifact } from 'pliant'
import { formatCount } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { contactReport } from './contact-report.js'

export function inspectShapeContact(inspected: InspectedFile<ShapeContactArtifact>): Report {
  const { model } = inspected.artifact.manifest
  const [whole, ...domains] = model.parts
  const perDomain = domains.map(({ vertices, codeSize }) => `${codeSize} values for ${formatCount(vertices)} vertices`)
  return contactReport(inspected, {
    shape: [['surface', `${formatCount(model.vertices)} vertices, ${formatCount(model.triangles)} triangles`]],
    code: [
      ['  whole', `${whole.codeSize} values`],
      ['  domains', perDomain.join(', ')],
      ...learnedAround(model.around),
    ],
  })
}

function learnedAround(shapes: number): [string, string][] {
  return shapes > 0 ? [['  learned', `around ${formatCount(shapes)} shapes, as hardly any of the box is free`]] : []
}
