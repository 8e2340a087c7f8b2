/** What a character with self-contact is, what its code means, what counts as contact, and how good it was measured to be. */
import type { CharacterContactArtifact } from 'pliant/character'
import { formatCount, formatNumber } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { contactReport } from './contact-report.js'

export function inspectCharacterContact(inspected: InspectedFile<CharacterContactArtifact>): Report {
  const { code, model } = inspected.artifact.manifest
  const { surface, skeleton, heldOut, height, clips } = model
  return contactReport(inspected, {
    shape: [
      ['height', `${formatNumber(height)} m`],
      ['surface', `${formatCount(surface.vertices)} vertices, ${formatCount(surface.triangles)} triangles`],
      ['skeleton', `${skeleton.names.length} joints, root '${skeleton.names[skeleton.root]}'`],
    ],
    code: [['  entries', code.names.join(', ')]],
    but: 'joined bones, ',
    trainedOn: clips.map(({ name }) => name).join(', '),
    judged: [
      ['evaluated on', heldOut.clips.length > 0 ? heldOut.clips.join(', ') : 'frames of its clips that were left out'],
    ],
  })
}
