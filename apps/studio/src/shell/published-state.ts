/** What a page shows, for tests and for the curious: a property of `window`, fresh at every look, not to be written. */

/** @returns takes the state away again */
export function publishState(name: keyof Window & `pliant${string}`, read: () => object | undefined): () => void {
  Object.defineProperty(window, name, { configurable: true, get: read })
  return () => {
    Reflect.deleteProperty(window, name)
  }
}
