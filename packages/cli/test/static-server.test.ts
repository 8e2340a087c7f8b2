import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StaticServer, serveFolder } from '../src/static-server.js'
import { temporaryFolder } from './run-pliant.js'

const folder = temporaryFolder()
let server: StaticServer
beforeAll(async () => {
  mkdirSync(folder.file('site/assets'), { recursive: true })
  writeFileSync(folder.file('site/index.html'), '<title>studio</title>')
  writeFileSync(folder.file('site/assets/a b.wasm'), 'wasm')
  writeFileSync(folder.file('secret.txt'), 'secret')
  symlinkSync(folder.file('secret.txt'), folder.file('site/way-out.txt'))
  server = await serveFolder(folder.file('site'), 0, true)
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

/** Sends the path as it stands; `fetch` would tidy `..` away before the server sees it. */
function get(
  path: string,
  method = 'GET',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url)
    const call = request({ host: 'localhost', port, path, method }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    call.on('error', reject).end()
  })
}

describe('the studio server', () => {
  it('serves the page isolated, so that shared memory works', async () => {
    const { status, headers, body } = await get('/?code=1')
    expect(status).toBe(200)
    expect(body).toContain('studio')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
  })

  it('knows types and escaped names', async () => {
    const { status, headers } = await get('/assets/a%20b.wasm')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/wasm')
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2f..%2fsecret.txt',
    '/way-out.txt',
    '/%00',
    '/%zz',
    '/assets',
  ])('gives nothing for %s', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).not.toContain('secret')
  })

  it('refuses to be written to', async () => {
    expect((await get('/', 'POST')).status).toBe(405)
  })

  it('takes the next free port, or says that the one asked for is taken', async () => {
    const port = Number(new URL(server.url).port)
    await expect(serveFolder(folder.file('site'), port, true)).rejects.toThrow(`port ${port} is taken`)
    const other = await serveFolder(folder.file('site'), port, false)
    expect(Number(new URL(other.url).port)).toBeGreaterThan(port)
    await other.close()
  })
})
