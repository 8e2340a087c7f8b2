/** What a .npy array is. */
import { readNpy } from 'pliant/files'
import { asBadInput } from '../errors.js'
import { formatNumber, labelled } from '../format.js'
import type { Report } from '../output.js'

/** NumPy's short names of types, spelt out. */
const TYPES: Readonly<Record<string, string>> = { f: 'float', i: 'int', u: 'uint', b: 'bool' }

export async function inspectArray(path: string, bytes: Uint8Array): Promise<Report> {
  const { shape, dtype, data } = await asBadInput(() => readNpy(bytes), path)
  const type = dtype === 'b1' ? 'bool' : `${TYPES[dtype[0]] ?? dtype[0]}${8 * Number(dtype.slice(1))}`
  let [min, max, notFinite] = [Infinity, -Infinity, 0]
  for (let i = 0; i < data.length; i++) {
    const value = data[i]
    if (!Number.isFinite(value)) notFinite++
    else {
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  const range = min <= max ? { min, max } : { min: null, max: null }
  const rows: [string, string][] = [
    ['file', `${path}: a .npy array`],
    ['shape', `[${shape.join(', ')}]`],
    ['type', type],
    ['values', range.min === null ? 'none that are finite' : `${formatNumber(min)} to ${formatNumber(max)}`],
  ]
  if (notFinite > 0)
    rows.push(['error', `${notFinite} values are NaN or infinite; no verb takes them as points or code`])
  return { json: { kind: 'array', file: path, shape, dtype: type, ...range, notFinite }, text: labelled(rows) }
}
