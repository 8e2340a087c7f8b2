/** Type-checks a project's scripts as strictly as its user may, under both ways to find modules that are in use. */
import { join } from 'node:path'
import { ROOT } from '../advice.js'
import type { Project } from './project.js'

const RESOLUTIONS = {
  bundler: { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  // Its output is what runs.
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', outDir: 'built' },
}

/** @returns what the compiler says, empty if it is content; compiled scripts go to `built` */
export async function typeCheck(project: Project, files: readonly string[]): Promise<string> {
  const said = Object.entries(RESOLUTIONS).map(async ([name, resolution]) => {
    const config = `tsconfig.${name}.json`
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      rootDir: '.',
    }
    project.write(config, JSON.stringify({ compilerOptions, files }))
    const { stdout } = await project.shell(
      `"${process.execPath}" "${join(ROOT, 'node_modules/typescript/bin/tsc')}" -p ${config}`,
    )
    return stdout.replace(/^(?=.)/gm, `${name}: `)
  })
  return (await Promise.all(said)).join('')
}
