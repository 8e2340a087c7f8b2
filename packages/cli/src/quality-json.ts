/** Measured quality for `--json`, whose keys stay: `diagonal` is what `size` was called at first. */

/** The same value, in which every quality has both. */
export function qualityJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map((entry) => qualityJson(entry)) as T
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, qualityJson(entry)]))
  return ('sizeOf' in copy ? { ...copy, diagonal: copy['size'] } : copy) as T
}
