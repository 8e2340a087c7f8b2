/** The learned field's error on the surface itself, as colours: the exact distance there is zero. */
import type { TrainedField } from 'pliant'
import { type ColourTable, colourIndex } from '../../draw/colour-map.js'
import type { ColourScale } from '../../draw/slice-painter.js'

/** @returns rgb of every vertex in linear light, 0 to 1 */
export function surfaceErrorColours(field: TrainedField, positions: Float64Array, scale: ColourScale): Float32Array {
  const count = positions.length / 3
  const distances = new Float32Array(count)
  field.query(positions, count, distances)
  const linear = linearTable(scale.table)
  const colours = new Float32Array(3 * count)
  for (let v = 0; v < count; v++) {
    const index = 3 * colourIndex(Math.abs(distances[v]), scale.lower, scale.upper)
    colours.set(linear.subarray(index, index + 3), 3 * v)
  }
  return colours
}

const linearTables = new Map<ColourTable, Float32Array>()

/** Shading adds light, so it wants linear values where the table has sRGB bytes. */
function linearTable(table: ColourTable): Float32Array {
  let linear = linearTables.get(table)
  if (!linear) {
    linear = Float32Array.from(table, (byte) => {
      const c = byte / 255
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
    })
    linearTables.set(table, linear)
  }
  return linear
}
