/** Which parts of a suite its option `--parts` names. */

/**
 * @param all  of the suite, in the order in which they are measured
 * @returns those that are named, in that order; all where nothing is named
 * @throws Error in one line if there is no part of a name
 */
export function partNames<Name extends string>(suite: string, all: readonly Name[], text: string | undefined): Name[] {
  if (text === undefined) return [...all]
  const named = text.split(',').map((name) => name.trim())
  const unknown = named.find((name) => !(all as readonly string[]).includes(name))
  if (unknown === undefined) return all.filter((name) => named.includes(name))
  throw new Error(`bench ${suite}: --parts names ${unknown}; choose from ${all.join(', ')}.`)
}
