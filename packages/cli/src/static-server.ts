/**
 * Serves one folder over HTTP on this machine only. Pages are cross-origin isolated, because shared memory, and with it the
 * threaded kernels, exists in isolated pages alone.
 */
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { FailedRun, UsageError } from './errors.js'

/** How many ports after the preferred one are tried when nobody asked for a certain port. */
const PORT_TRIES = 20

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

export interface StaticServer {
  readonly url: string
  /** Ends the server and its open connections. */
  close(): Promise<void>
}

/**
 * @param folder  what to serve; `/` answers with its index.html
 * @param port    where to listen
 * @param strict  true: this port or none; false: the next free one if it is taken
 * @throws UsageError if the port asked for is taken, FailedRun if none is free
 */
export async function serveFolder(folder: string, port: number, strict: boolean): Promise<StaticServer> {
  const root = await realpath(folder)
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => fail(response, 500, 'the file could not be read'))
  })
  const taken = await listen(server, port, strict ? 1 : PORT_TRIES)
  return {
    url: `http://localhost:${taken}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return fail(response, 405, 'only GET and HEAD')
  const path = await fileOf(root, request.url ?? '/')
  if (path === undefined) return fail(response, 404, 'no such file')
  const { size } = await stat(path)
  response.writeHead(200, {
    'Content-Type': MIME_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(path)
      .on('error', () => response.destroy())
      .pipe(response)
}

/** The file behind a request, or undefined if there is none in the folder; links that lead out of it count as none. */
async function fileOf(root: string, url: string): Promise<string | undefined> {
  try {
    const name = decodeURIComponent(url.split(/[?#]/, 1)[0])
    const path = await realpath(join(root, name.endsWith('/') ? `${name}index.html` : name))
    return path.startsWith(root + sep) && (await stat(path)).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

function fail(response: ServerResponse, status: number, reason: string): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${status}: ${reason}\n`)
}

async function listen(server: Server, port: number, tries: number): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      return await listenOnce(server, port + attempt)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EACCES') throw new UsageError(`studio: port ${port} is reserved; pass --port 1024 or above.`)
      if (code !== 'EADDRINUSE')
        throw new FailedRun(`studio: cannot listen on port ${port + attempt} (${code}); try --port.`)
    }
  }
  if (tries === 1) throw new UsageError(`studio: port ${port} is taken; pass another --port or leave it out.`)
  throw new FailedRun(`studio: ports ${port} to ${port + tries - 1} are all taken; pass a free one with --port.`)
}

function listenOnce(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // This machine only: the studio has no business on the network.
    server.listen(port, 'localhost', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
