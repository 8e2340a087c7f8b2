import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { decode, type KindName, load } from '../../src/index.js'
import { exampleArtifact } from './example.js'

const bytes = await encode(exampleArtifact())
const expected = await answerOf(load(exampleArtifact()))

async function answerOf(loading: ReturnType<typeof load>): Promise<number> {
  const field = await loading
  const out = new Float64Array(1)
  field.update({ code: [0.3, -0.4] })
  field.query(Float64Array.of(0.2, 0.1, 0.3), 1, out)
  field.dispose()
  return out[0]
}

describe('load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-load-'))
  const path = join(folder, 'example.safetensors')
  let server: Server
  let address = ''
  beforeAll(async () => {
    writeFileSync(path, bytes)
    server = createServer((request, response) => {
      response.statusCode = request.url === '/example.safetensors' ? 200 : 404
      response.end(response.statusCode === 200 ? bytes : 'nothing')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('takes bytes, a buffer, a path, an address, and what was decoded: all answer alike', async () => {
    const sources = [
      bytes,
      bytes.buffer,
      path,
      relative(process.cwd(), path),
      pathToFileURL(path),
      pathToFileURL(path).href,
      `${address}/example.safetensors`,
      new URL(`${address}/example.safetensors`),
      new Request(`${address}/example.safetensors`),
      await decode(bytes, 'linear-modes'),
    ]
    for (const source of sources) expect(await answerOf(load(source))).toBe(expected)
  })

  it('of the wrong kind is refused in one line, whatever the source', async () => {
    const wrong = "artifact: 'example' is of kind 'linear-modes', should be 'character'; pass another file."
    await expect(load(bytes, { kind: 'character' })).rejects.toThrow(wrong)
    await expect(load(await decode(bytes), { kind: 'character' as KindName })).rejects.toThrow(wrong)
    await expect(decode(bytes, 'character')).rejects.toThrow(wrong)
    await expect(decode(bytes, 'character', 'elastic-body')).rejects.toThrow("should be 'character' or 'elastic-body'")
    expect(await answerOf(load(bytes, { kind: 'linear-modes' }))).toBe(expected)
  })

  it('says in one line what cannot be had', async () => {
    await expect(load(`${address}/gone.safetensors`)).rejects.toThrow(
      `load: ${address}/gone.safetensors answers 404 Not Found; check the address.`,
    )
    await expect(load(join(folder, 'gone.safetensors'))).rejects.toThrow(/ENOENT.*gone\.safetensors/)
    await expect(load(new TextEncoder().encode('<!doctype html>'))).rejects.toThrow(/^safetensors: [^\n]*$/)
    await expect(load(path, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
  })
})
