/**
 * Exact labels that several methods of a subject ask for, of the same codes: signs of those that all are judged on, depths of
 * those that both supervised ones learn from. Making them takes longer than most of the methods learn, so they are kept
 * beside the cells, with what they are of.
 */
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'

/** Bytes of the hash that a file begins with. */
const HASH = 32

/**
 * @param path     of the file; other codes or another shape replace it
 * @param subject  identifies the shape, its codes and what counts as contact
 * @param Labels   what labels of all codes are
 */
export function keptLabels<T extends Int8Array | Float32Array>(
  path: string,
  subject: string,
  Labels: new (buffer: ArrayBuffer) => T,
) {
  return async (codes: Float32Array, make: () => Promise<T>): Promise<T> => {
    const key = createHash('sha256').update(subject).update(bytesOf(codes)).digest()
    const kept = await readFile(path).catch(() => undefined)
    if (kept?.subarray(0, HASH).equals(key)) return new Labels(Uint8Array.from(kept.subarray(HASH)).buffer)
    const labels = await make()
    // Two processes may come here at once.
    const part = `${path}.${process.pid}.part`
    await writeFile(part, Buffer.concat([key, bytesOf(labels)]))
    await rename(part, path)
    return labels
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
