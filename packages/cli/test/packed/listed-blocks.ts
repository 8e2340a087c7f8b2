/**
 * Every code block of README.md and docs/three.md, and how it is run as written. A block that is not listed here fails the
 * test: say how it is run, or why it is not.
 */

export type Treatment = ShellTreatment | ScriptTreatment | CheckedTreatment | InstallTreatment | NotRun

export interface ShellTreatment {
  by: 'shell'
  /** Lines that begin so are not simply run to their end. */
  lines?: Readonly<Record<string, LineTreatment>>
}

export interface LineTreatment {
  /** Takes minutes: it is begun, and stopped as by Ctrl-C once it tells how far it has come. */
  stopped?: boolean
  /** Words that make it short. */
  added?: string
  /** What the rest goes on with instead of the line's own result, by its name among the files that come with Pliant. */
  leaves?: Readonly<Record<string, string>>
  why: string
}

/** Scripts fetch files by relative addresses, as pages do. */
export interface ScriptTreatment {
  by: 'chromium'
}

/** Type-checked as any script, but not run. */
export interface CheckedTreatment {
  by: 'compiler'
  why: string
}

/** The packages of this test are installed by its lines, from tarballs. */
export interface InstallTreatment {
  by: 'install'
}

export interface NotRun {
  by: 'nobody'
  why: string
}

const TAKES_MINUTES = 'trains for minutes; what it would make comes with Pliant'

export const LISTED: Readonly<Record<string, Treatment>> = {
  'README.md, Pliant: sh': { by: 'nobody', why: 'the commands of a clone; this test is part of one of them' },
  'README.md, Install: sh': { by: 'install' },
  'README.md, In your code: ts': { by: 'chromium' },
  'README.md, Train your own: sh': {
    by: 'shell',
    lines: {
      'npx pliant train hero.glb': {
        stopped: true,
        leaves: { 'hero.safetensors': 'humanoid.safetensors' },
        why: TAKES_MINUTES,
      },
      'npx pliant train body.mesh': { stopped: true, why: 'drops the body for minutes' },
      'npx pliant train part.obj': {
        added: '--poses 4 --steps 4 --trial',
        why: 'to the end, with fewer poses and steps',
      },
      'npx pliant evaluate hero': { added: '--poses 2', why: 'a few poses instead of sixty' },
    },
  },
  'docs/three.md, Characters in three.js: sh': {
    by: 'shell',
    lines: {
      'npx pliant train hero.glb': {
        stopped: true,
        leaves: { 'hero.safetensors': 'humanoid.safetensors' },
        why: TAKES_MINUTES,
      },
    },
  },
  'docs/three.md, Characters in three.js: ts': { by: 'chromium' },
  'docs/three.md, Avatars that are kept out of themselves: sh': {
    by: 'shell',
    lines: { 'npx pliant train hero.glb': { stopped: true, why: 'trains for minutes' } },
  },
  'docs/three.md, Avatars that are kept out of themselves: ts': {
    by: 'compiler',
    why: 'no file of a character with self-contact comes with Pliant; pliant/test/three/pose-guard.test.ts runs these calls',
  },
}
