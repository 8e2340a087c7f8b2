import { availableParallelism } from 'node:os'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

/** Tests that leave nothing behind, many of them in one process. Those of pages replace timers and what browsers have. */
const SHARED = '{packages/{pliant,train},bench}/test/**/*.test.ts'
/** Take WebAssembly away, or put another module in place of ours, before anything is loaded. */
const ALONE = 'packages/pliant/test/{hostile/content-policy/*,artifact/made-up-kind}.test.ts'
const BROWSER_TESTS = '**/*.browser.test.ts'

const node = { environment: 'node', testTimeout: 120_000, hookTimeout: 120_000 }

/** Software rendering and no background traffic: there may be no GPU and no network. */
const chromiumFlags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export default defineConfig({
  test: {
    // One less than there are cores is the default, which leaves every second core of a small machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...node,
          name: 'shared',
          include: [SHARED],
          exclude: [ALONE, BROWSER_TESTS, '**/node_modules/**'],
          // With a process for each, which loads and compiles all modules again, 48 short ones took 34 s instead of 14.
          isolate: false,
          // After the others: a process goes on only if the next file in the queue may share it.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...node,
          name: 'node',
          include: ['{packages/cli,apps/*,examples}/test/**/*.test.ts', ALONE],
          exclude: [BROWSER_TESTS, '**/node_modules/**'],
        },
      },
      {
        server: {
          // Shared memory, and with it the threaded kernels, needs an isolated page.
          headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
        },
        test: {
          name: 'chromium',
          include: ['packages/*/test/**/*.browser.test.ts'],
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: '/usr/bin/chromium', args: chromiumFlags } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
