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
  const pairs = Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i], parts[2 * i + 1]] as const)
  return {
    field: {
      codeSize: field.codeSize,
      pairs,
      clearances: (code, out) => field.clearances(code, out),
      pullBackClearances: (byClearances, out) => field.pullBackClearances(byClearances, out),
    },
    ofPair: parts,
    names: pairs.map(([a, b]) => `${nameOf(a)} \u2013 ${nameOf(b)}`),
    unit: 'm',
    ...lengths,
  }
}
