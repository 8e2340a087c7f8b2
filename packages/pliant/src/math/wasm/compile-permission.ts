/**
 * Whether the host lets us compile WebAssembly. Content security policies forbid it unless they say otherwise, and so may
 * a host of Node; `WebAssembly.validate` knows nothing of that, so the smallest module there is gets compiled.
 */

/** What is wrong and what to do about it, for messages; begins in the middle of a sentence. */
export const COMPILING_FORBIDDEN =
  "compiling WebAssembly is forbidden here; add 'wasm-unsafe-eval' to script-src of the page's content security policy"

/** Magic number and version: a module with nothing in it. */
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

let known: boolean | undefined

/** Asks the host once: a page's policy never changes, and each refusal is a line in its console. */
export function mayCompile(): boolean {
  known ??= compiles()
  return known
}

function compiles(): boolean {
  try {
    return new WebAssembly.Module(EMPTY_MODULE) instanceof WebAssembly.Module
  } catch {
    return false
  }
}
