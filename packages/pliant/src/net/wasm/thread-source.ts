/** What a helper thread runs, as text: no file that a bundler must find, and the same in Node and in the browser. */

/** Words of the control block. `failed` is set once, by whoever finds a thread dead or its kernel trapped. */
export const CONTROL = { wake: 0, left: 1, done: 2, tiles: 3, program: 4, points: 5, stop: 6, failed: 7 } as const

export const THREAD_SOURCE = `
const node = typeof process === 'object' ? process.getBuiltinModule('node:worker_threads') : undefined
const port = node ? node.parentPort : self
const listen = (data) => {
  const { module, memory, control, scratch, tile, spins } = data
  const { run } = new WebAssembly.Instance(module, { env: { memory } }).exports
  const state = new Int32Array(memory.buffer, control, 16)
  const read = (word) => Atomics.load(state, word)
  let seen = read(${CONTROL.wake})
  port.postMessage('ready')
  while (read(${CONTROL.stop}) === 0) {
    for (let i = 0; i < spins && read(${CONTROL.wake}) === seen; i++);
    Atomics.wait(state, ${CONTROL.wake}, seen)
    seen = read(${CONTROL.wake})
    let taken = Atomics.sub(state, ${CONTROL.left}, 1)
    while (taken > 0) {
      const first = (taken - 1) * tile
      try {
        run(read(${CONTROL.program}), first, Math.min(tile, read(${CONTROL.points}) - first), scratch)
      } catch {
        // The tile counts as done, so that nobody waits for it; who waits then sees that it is not.
        Atomics.store(state, ${CONTROL.failed}, 1)
      }
      const done = Atomics.add(state, ${CONTROL.done}, 1) + 1
      if (done === read(${CONTROL.tiles})) Atomics.notify(state, ${CONTROL.done})
      taken = Atomics.sub(state, ${CONTROL.left}, 1)
    }
  }
}
if (node) port.once('message', listen)
else port.onmessage = (event) => listen(event.data)
`
