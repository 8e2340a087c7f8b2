/** CRC-32 (reflected, polynomial 0xedb88320): catches every single flipped byte, costs microseconds per file. */
let table: Uint32Array | undefined

/** @param crc a previous result, to go on over further bytes */
export function crc32(bytes: Uint8Array, crc = 0): number {
  table ??= buildTable()
  let c = ~crc
  for (let i = 0; i < bytes.length; i++) c = table[(c ^ bytes[i]) & 255] ^ (c >>> 8)
  return ~c >>> 0
}

function buildTable(): Uint32Array {
  const result = new Uint32Array(256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    result[n] = c
  }
  return result
}
