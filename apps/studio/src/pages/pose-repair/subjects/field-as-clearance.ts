/** A field over codes as the one clearance of a body, so that what keeps clearances keeps it, too; in the unit of the code. */
import type { ConfigurationField } from 'pliant'
import type { ClearanceField } from 'pliant/respond'

export function fieldAsClearance(field: ConfigurationField): ClearanceField {
  const { codeSize } = field
  const asked = new Float64Array(codeSize)
  const distance = new Float64Array(1)
  const gradient = new Float64Array(codeSize)
  return {
    codeSize,
    pairs: [undefined],
    clearances(code, out) {
      asked.set(code.subarray(0, codeSize))
      field.query(asked, 1, distance, gradient)
      out[0] = distance[0]
    },
    pullBackClearances(byDistance, out) {
      for (let k = 0; k < codeSize; k++) out[k] = byDistance[0] * gradient[k]
    },
  }
}
