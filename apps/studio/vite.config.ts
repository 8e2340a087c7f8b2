import { defineConfig } from 'vite'
import { docsPlugin } from './docs-plugin.js'

/** Shared memory, and with it threads, exists in isolated pages only; without these headers all runs on one thread. */
const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default defineConfig({
  // Relative addresses: the built studio can be served from any path.
  base: './',
  plugins: [docsPlugin()],
  worker: { format: 'es' },
  server: { headers: isolated },
  preview: { headers: isolated },
  build: {
    target: 'es2022',
    // `pliant studio` serves them from there, and npm packs them with it.
    outDir: '../../packages/cli/studio',
    emptyOutDir: true,
    // three.js alone is over the default limit of 500 kB.
    chunkSizeWarningLimit: 900,
  },
})
