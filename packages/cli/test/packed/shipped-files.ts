/** The trained files that come with Pliant. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)

export function shippedPath(name: string): string {
  return fileURLToPath(new URL(name, FOLDER))
}

export function shipped(name: string): Uint8Array {
  return new Uint8Array(readFileSync(shippedPath(name)))
}
