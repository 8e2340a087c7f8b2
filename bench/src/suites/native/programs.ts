/**
 * The native rivals: C++ programs of bench/native on Debian's packages, built where a compiler and the packages are. What
 * cannot be built is left out of the race, with a line that says what to install.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Eigen is headers alone; Debian's FCL was compiled for its alignment of 16. */
const EIGEN = ['-I/usr/include/eigen3']
const SOURCES = {
  embree: { packages: ['libembree-dev'], flags: [], libraries: ['-lembree3'] },
  igl: { packages: ['libigl-dev', 'libeigen3-dev'], flags: EIGEN, libraries: [] },
  fcl: {
    packages: ['libfcl-dev', 'libccd-dev', 'libeigen3-dev'],
    flags: [...EIGEN, '-DEIGEN_MAX_ALIGN_BYTES=16'],
    libraries: ['-lfcl', '-lccd'],
  },
  cgal: { packages: ['libcgal-dev', 'libgmp-dev', 'libmpfr-dev'], flags: [], libraries: ['-lgmp', '-lmpfr'] },
} as const satisfies Record<
  string,
  { packages: readonly string[]; flags: readonly string[]; libraries: readonly string[] }
>
export type ProgramName = keyof typeof SOURCES
export const PROGRAMS = Object.keys(SOURCES) as readonly ProgramName[]

const FLAGS = ['-O3', '-march=native', '-std=c++17']

/** Beside `src` and `dist`. */
const FOLDER = fileURLToPath(new URL('../../../native/', import.meta.url))

export interface BuildOptions {
  /** Receives the programs. */
  folder?: string
  compiler?: string
  /** Which to build. */
  among?: readonly ProgramName[]
  signal?: AbortSignal
}
export const BUILD_DEFAULTS = { folder: join('out', 'native'), compiler: 'g++', among: PROGRAMS } as const

export interface SkippedProgram {
  program: ProgramName
  /** Why, and what to install; one line. */
  reason: string
}

export interface BuiltPrograms {
  /** Where those are that could be built. */
  paths: Partial<Record<ProgramName, string>>
  skipped: SkippedProgram[]
}

/** Those that were built before from the same sources, by the same compiler, for the same processor, are taken as they are. */
export async function buildPrograms(options: BuildOptions = {}): Promise<BuiltPrograms> {
  const { folder, compiler, among } = { ...BUILD_DEFAULTS, ...options }
  const built: BuiltPrograms = { paths: {}, skipped: [] }
  await mkdir(folder, { recursive: true })
  await Promise.all(
    among.map(async (program) => {
      try {
        built.paths[program] = await buildProgram(program, folder, compiler, options.signal)
      } catch (error) {
        options.signal?.throwIfAborted()
        built.skipped.push({ program, reason: reasonOf(program, compiler, error as BuildError) })
      }
    }),
  )
  built.skipped.sort((a, b) => PROGRAMS.indexOf(a.program) - PROGRAMS.indexOf(b.program))
  return built
}

const run = promisify(execFile)

async function buildProgram(
  program: ProgramName,
  folder: string,
  compiler: string,
  signal?: AbortSignal,
): Promise<string> {
  const { flags, libraries } = SOURCES[program]
  const source = join(FOLDER, `${program}.cpp`)
  const words = [...FLAGS, ...flags, source]
  const { stdout: version } = await run(compiler, ['--version'], { signal })
  const made = createHash('sha256').update([version, cpus()[0]?.model, ...words, ...libraries].join('\n'))
  for (const file of [source, ...['common.h', 'tritri.h'].map((name) => join(FOLDER, name))]) {
    made.update(await readFile(file))
  }
  const path = join(folder, `${program}-${made.digest('hex').slice(0, 12)}`)
  if (await exists(path)) return path
  // Under another name until it is whole: a build may be interrupted.
  const unfinished = `${path}.${process.pid}`
  await run(compiler, [...words, '-o', unfinished, ...libraries], { signal })
  await rename(unfinished, path)
  return path
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

interface BuildError extends Error {
  code?: string | number
  stderr?: string
}

function reasonOf(program: ProgramName, compiler: string, { code, stderr, message }: BuildError): string {
  const install = `apt-get install g++ ${SOURCES[program].packages.join(' ')}`
  if (code === 'ENOENT') return `${program} is left out: there is no ${compiler}; ${install}`
  const line = stderr?.split('\n').find((text) => /error|cannot find/.test(text)) ?? message.split('\n')[0]
  // Without the place in the source, which is of this machine.
  return `${program} is left out: ${line.replace(/^\S*:\s+/, '')}; ${install}`
}
