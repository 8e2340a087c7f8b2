/** A GLB taken apart, changed and put together again: characters that no exporter would write. */

/** Numbers of a GLB's JSON chunk, loosely typed: tests write what files must not say. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON at all
export type GlbJson = any

/** @param change  changes the JSON or the binary chunk in place */
export function editGlb(bytes: Uint8Array, change: (json: GlbJson, bin: DataView) => void): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const jsonLength = view.getUint32(12, true)
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)))
  const binStart = 20 + jsonLength + 8
  const bin = bytes.slice(binStart, binStart + view.getUint32(20 + jsonLength, true))
  change(json, new DataView(bin.buffer))
  return joinGlb(json, bin)
}

function joinGlb(json: GlbJson, bin: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json))
  const textLength = 4 * Math.ceil(text.length / 4)
  const binLength = 4 * Math.ceil(bin.length / 4)
  const out = new Uint8Array(28 + textLength + binLength)
  const view = new DataView(out.buffer)
  const words = [0x46546c67, 2, out.length, textLength, 0x4e4f534a]
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true)
  out.fill(0x20, 20, 20 + textLength)
  out.set(text, 20)
  view.setUint32(20 + textLength, binLength, true)
  view.setUint32(24 + textLength, 0x004e4942, true)
  out.set(bin, 28 + textLength)
  return out
}

/** Where an accessor's first byte lies in the binary chunk. */
export function startOf(json: GlbJson, accessor: number): number {
  const { bufferView, byteOffset = 0 } = json.accessors[accessor]
  return (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset
}
