import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bin } from '../run-pliant.js'

const built = existsSync(new URL('../../studio/index.html', import.meta.url))

describe('studio', () => {
  it.skipIf(!built)('prints its address once it answers, and ends at Ctrl-C with exit code 0', async () => {
    const child = spawn(process.execPath, [bin, 'studio', '--port', '0', '--no-open', '--json'])
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
    const first = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))))
    const { url } = JSON.parse(first)
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<html')
    child.kill('SIGINT')
    expect(await closed).toBe(0)
  })
})
