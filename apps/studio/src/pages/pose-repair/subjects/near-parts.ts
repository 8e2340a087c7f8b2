/** How near parts are to each other by a learned field; by one of the paper's network, which tells no pairs apart, all of them at once. */
import type { PartsContactField } from 'pliant'
import { fieldAsClearance } from './field-as-clearance.js'
import type { NearParts } from './pose-subject.js'

/** Of what tells no pairs apart, in the unit of the code. */
const WHOLE = { glow: 0.15, margin: 0.01 }

/** @param lengths  of clearances [m]: where parts begin to light up, and what keeping a pose free keeps */
export function nearParts(
  field: PartsContactField,
  nameOf: (part: number) => string,
  lengths: Pick<NearParts, 'glow' | 'margin'>,
): NearParts {
  const parts = Uint16Array.from(field.pairsOfParts)
  if (parts.length === 0) {
    return { field: fieldAsClearance(field), ofPair: Uint16Array.of(0, 0), names: ['the body'], unit: 'code', ...WHOLE }
  }
  return {
    field,
    ofPair: parts,
    names: field.pairs.map((_, i) => `${nameOf(parts[2 * i])} \u2013 ${nameOf(parts[2 * i + 1])}`),
    unit: 'm',
    ...lengths,
  }
}
