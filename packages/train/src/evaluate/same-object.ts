/** Whether trained files are of one object: only then do the same poses and points mean the same to all of them. */
import type { Artifact } from 'pliant'
import { BadInput } from '../input/bad-input.js'

/**
 * Other files, known to be of the first one's object.
 * @param differenceOf  in what another file of the same kind differs; undefined if it is of the same object
 * @throws BadInput saying in what one differs
 */
export function filesOfOneObject<A extends Artifact>(
  first: A,
  others: readonly Artifact[],
  differenceOf: (first: A, other: A) => string | undefined,
): A[] {
  const same = others.map((other) => {
    const difference =
      other.kind === first.kind ? differenceOf(first, other as A) : `it is of kind ${other.kind}, not ${first.kind}`
    if (difference === undefined) return other as A
    throw new BadInput(
      `${other.manifest.name} is another object than ${first.manifest.name}: ${difference}; pass a file that was trained on the same one.`,
    )
  })
  return [first, ...same]
}

export function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
