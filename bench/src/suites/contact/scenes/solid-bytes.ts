/** What contact keeps beside a field. */
import type { Solid } from 'pliant/detect'

/** [bytes] */
export function solidBytes({ points, facings, neighbours, groups }: Solid): number {
  const arrays = [points, facings, neighbours.starts, neighbours.points, groups.centres, groups.radii, groups.starts]
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
