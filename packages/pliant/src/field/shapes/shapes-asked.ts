/** What a description costs before anything is made of it: repetitions in repetitions ask eight times as many each time. */

/** How deep to look: `shapeOf` refuses what nests deeper. */
const DEEPEST = 120

/**
 * How many shapes one distance asks, of a repetition the copies that lie nearest.
 * @param description  as `shapeOf` takes them; what is wrong in it is left to that
 */
export function shapesAsked(description: unknown): number {
  return askedBy(description, 0)
}

function askedBy(description: unknown, depth: number): number {
  if (typeof description !== 'object' || description === null || depth > DEEPEST) return 0
  if (Array.isArray(description)) return description.reduce((sum: number, each) => sum + askedBy(each, depth + 1), 0)
  const { counts } = description as { counts?: unknown }
  // The nearest copy along each axis, and the next.
  const copies = Array.isArray(counts) ? 2 ** counts.filter((each) => each !== 1).slice(0, 3).length : 1
  const parts = Object.values(description).reduce((sum: number, each) => sum + askedBy(each, depth + 1), 0)
  return ('shape' in description ? 1 : 0) + copies * parts
}
