/** What was handed in cannot be trained on, and the message says why: the caller's to mend, no failure of the run. */
export class BadInput extends Error {
  /** Tells it apart from failures of the run. */
  override name = 'BadInput'
}

/**
 * Runs what looks at the input first: whatever it throws is the input's fault, but for an abort.
 * @param path  the file, if there is one: a reader saw only its bytes
 */
export async function asBadInput<T>(look: () => T | Promise<T>, path?: string): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError' || error instanceof BadInput) throw error
    throw new BadInput(path === undefined ? error.message : `${path}: ${error.message}`, { cause: error })
  }
}
