/** Serves the built studio to a test's browser, isolated as `pliant studio` serves it, or as plainly as any host does. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const STUDIO = fileURLToPath(new URL('..', import.meta.url))
const BUILT = join(STUDIO, '../../packages/cli/studio')
/** What the build is made from; the runtime's own build is part of the bundle. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'docs-plugin.ts',
  'markdown.ts',
  '../../packages/pliant/dist',
  '../../docs',
  '../../README.md',
]

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Builds the studio unless the build is newer than everything that goes into it. */
export function buildStudio(): void {
  const index = join(BUILT, 'index.html')
  const newest = Math.max(...SOURCES.map((source) => newestIn(join(STUDIO, source))))
  if (existsSync(index) && statSync(index).mtimeMs >= newest) return
  const vite = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))
  // Vitest's NODE_ENV=test would make a development build.
  execFileSync(process.execPath, [vite, 'build'], {
    cwd: STUDIO,
    stdio: 'pipe',
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

function newestIn(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  // A folder's own time tells of files that were deleted.
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/**
 * @param prefix   path under which the studio appears, to see that it works anywhere
 * @param isolated with the headers that shared memory needs
 */
export async function serveStudio(prefix: string, isolated: boolean): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = path.startsWith(prefix) ? path.slice(prefix.length) || 'index.html' : ''
    const file = join(BUILT, normalize(`/${decodeURIComponent(name)}`))
    try {
      const body = await readFile(file)
      response.writeHead(200, {
        'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
        ...(isolated && ISOLATED),
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${prefix}`, close: () => server.close() }
}
