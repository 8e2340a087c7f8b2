/** Typed arrays of one kind, one after the other in a new one. */

type NumberArray = Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array | Int8Array

/**
 * @param kind     of the arrays, so that none of them make an empty one
 * @param parts    that have them
 * @param arrayOf  a part's array
 */
export function joinedArrays<Part, A extends NumberArray>(
  kind: new (length: number) => A,
  parts: readonly Part[],
  arrayOf: (part: Part) => A,
): A {
  const arrays = parts.map(arrayOf)
  const all = new kind(arrays.reduce((sum, array) => sum + array.length, 0))
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return all
}
