/** How far a field's answer can be believed as the separation of a contact. */
import type { ContactLimit } from '../../field/contact.js'
import type { Solid } from './solid.js'

/** Networks and grids round off the end of what they tell: the last tenth of the band is not told as a distance. */
const BAND_END = 0.9
/** Lengths of gradients that are not this near to 1 tell that values are no distances; learned fields keep within it. */
const EVEN = 0.25

/**
 * @param distance  that the field told [m]
 * @param slope     length of its gradient there
 */
export function limitOf(
  distance: number,
  slope: number,
  { field, band }: Pick<Solid, 'field' | 'band'>,
): ContactLimit | undefined {
  if (Math.abs(distance) >= BAND_END * band || slope === 0) return 'band'
  const isKnown = (field as { slope?: number }).slope !== Infinity
  return isKnown && Math.abs(slope - 1) <= EVEN ? undefined : 'slope'
}
