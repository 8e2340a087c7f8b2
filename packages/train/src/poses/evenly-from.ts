/** @returns as many as wanted, evenly from all, or all of them if they are fewer */
export function evenlyFrom<T>(all: readonly T[], most: number): T[] {
  const every = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * every)])
}
