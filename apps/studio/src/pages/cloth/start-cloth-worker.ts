/** The worker that dresses and moves a character, for every page that shows one. */
export function startClothWorker(): Worker {
  return new Worker(new URL('./cloth-worker.ts', import.meta.url), { type: 'module' })
}
