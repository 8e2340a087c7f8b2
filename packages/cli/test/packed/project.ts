/** An empty folder into which the packed packages are installed, as a user's project. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../advice.js'

export interface Packed {
  tarball: string
  files: string[]
}

interface PackScript {
  packAll(folder: string): Promise<Record<string, Packed>>
  installInto(folder: string, packages: string[]): Promise<void>
  folderBytes(folder: string): number
  megabytes(bytes: number): string
}

const script = new URL('../../../../scripts/pack.mjs', import.meta.url)
export const { packAll, installInto, folderBytes, megabytes } = (await import(script.href)) as PackScript

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export class Project {
  readonly #parent = mkdtempSync(join(tmpdir(), 'pliant-packed-'))
  readonly folder = join(this.#parent, 'project')
  readonly tarballs = join(this.#parent, 'tarballs')

  constructor() {
    mkdirSync(this.folder)
    this.write('package.json', '{ "private": true, "type": "module" }\n')
    // What npm does not clear away when it installs: types of three.js, which a user installs beside it.
    mkdirSync(join(this.#parent, 'node_modules', '@types'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules/@types/three'), join(this.#parent, 'node_modules/@types/three'))
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** What `node_modules` takes [bytes]. */
  installedBytes(): number {
    return folderBytes(this.path('node_modules'))
  }

  /**
   * A line as it is typed into a shell.
   * @param stopAt    interrupts it, as Ctrl-C does, once stderr says so
   * @param registry  whether npm may ask it for what its cache lacks; else `npx` could run what others have published
   */
  shell(line: string, { stopAt, registry }: { stopAt?: RegExp; registry?: boolean } = {}): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      // What .npmrc says in the repository, and `npm test` hands down, holds there alone.
      const own = { npm_config_legacy_peer_deps: 'false', npm_config_ignore_scripts: 'false' }
      const network = registry ? { npm_config_prefer_offline: 'true' } : { npm_config_offline: 'true' }
      const env = { ...process.env, ...own, ...network }
      const child = spawn('sh', ['-c', line], {
        cwd: this.folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      let [stdout, stderr, stopped] = ['', '', false]
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
        if (stopped || !stopAt?.test(stderr)) return
        stopped = true
        process.kill(-child.pid!, 'SIGINT')
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, stdout, stderr }))
    })
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true })
  }
}
