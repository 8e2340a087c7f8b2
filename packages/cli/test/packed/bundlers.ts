/** The bundlers that people use, each with the least configuration that it works with. */
import { join } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import * as esbuild from 'esbuild'
import { rollup } from 'rollup'
import * as vite from 'vite'
import webpack from 'webpack'
import type { Project } from './project.js'

/** @param entry  a script of the project; @param out  folder that receives `main.js` and what that loads */
type Bundle = (project: Project, entry: string, out: string) => Promise<unknown>

export const BUNDLERS: Readonly<Record<string, Bundle>> = {
  vite: async (project, entry, out) => {
    const script = `<!doctype html><script type="module" src="/${entry}"></script>`
    project.write('index.html', script)
    const build = { outDir: out, rolldownOptions: { output: { entryFileNames: 'main.js' } } }
    await vite.build({ root: project.folder, configFile: false, base: './', logLevel: 'warn', build })
  },
  esbuild: async (project, entry, out) => {
    await bundleByEsbuild(project, entry, out)
  },
  webpack: async (project, entry, out) => {
    const compiler = webpack({
      context: project.folder,
      mode: 'production',
      entry: `./${entry}`,
      output: { path: project.path(out), filename: 'main.js' },
      // A limit on sizes is the page's affair.
      performance: false,
    })!
    await new Promise<void>((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error ?? stats?.hasErrors()) reject(error ?? new Error(stats!.toString('errors-only')))
        else compiler.close(() => resolve())
      })
    })
  },
  rollup: async (project, entry, out) => {
    const bundle = await rollup({ input: join(project.folder, entry), plugins: [nodeResolve()] })
    await bundle.write({ dir: project.path(out), format: 'es', entryFileNames: 'main.js' })
    await bundle.close()
  },
}

export async function bundleByEsbuild(project: Project, entry: string, out: string): Promise<void> {
  await esbuild.build({
    absWorkingDir: project.folder,
    entryPoints: { main: entry },
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: out,
    logLevel: 'silent',
  })
}
