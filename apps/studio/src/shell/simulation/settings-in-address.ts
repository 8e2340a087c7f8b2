/** Settings in the address, so that what is on show can be shared. */

export interface AddressNames<Settings> {
  /** What the address calls the object on show. */
  readonly object: string
  readonly words: readonly (keyof Settings & string)[]
  readonly numbers: readonly (keyof Settings & string)[]
}

export interface AddressView<Settings> {
  /** File of a listed object. */
  object?: string
  settings: Partial<Settings>
}

/** What is missing or no number is left out; whether a value makes sense is for the worker to say. */
export function readSettings<Settings extends object>(
  { object, words, numbers }: AddressNames<Settings>,
  parameters: ReadonlyMap<string, string>,
): AddressView<Settings> {
  const settings: Record<string, string | number> = {}
  for (const name of words) {
    const value = parameters.get(name)
    if (value) settings[name] = value
  }
  for (const name of numbers) {
    const value = Number.parseFloat(parameters.get(name) ?? '')
    if (Number.isFinite(value)) settings[name] = value
  }
  const shown = parameters.get(object)
  return { ...(shown && { object: shown }), settings: settings as Partial<Settings> }
}

/** @param shown file of the listed object on show; undefined for one's own, which an address cannot carry */
export function writeSettings<Settings extends object>(
  { object, words, numbers }: AddressNames<Settings>,
  shown: string | undefined,
  settings: Settings,
): Map<string, string> {
  const values = settings as Record<string, string | number>
  const entries: [string, string][] = shown ? [[object, shown]] : []
  for (const name of words) if (values[name] !== '') entries.push([name, String(values[name])])
  for (const name of numbers) entries.push([name, String(Number(Number(values[name]).toFixed(3)))])
  return new Map(entries)
}
