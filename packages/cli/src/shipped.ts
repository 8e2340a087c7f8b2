/** What comes with the command: the built pages of the studio, and the trained files that these show. */

/** `npm run build` makes it; npm packs it. */
export const STUDIO = new URL('../studio/', import.meta.url)

/** Address of a trained file. */
export function shippedArtifact(name: string): URL {
  return new URL(`artifacts/${name}`, STUDIO)
}
