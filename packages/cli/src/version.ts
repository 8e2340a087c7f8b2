/** The version of this package, as its package.json says. */
import { createRequire } from 'node:module'

const manifest: unknown = createRequire(import.meta.url)('../package.json')

export const version: string = (manifest as { version: string }).version
