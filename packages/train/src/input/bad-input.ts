/** What was handed in cannot be trained on, and the message says why: the caller's to mend, no failure of the run. */
export class BadInput extends Error {
  /** Tells it apart from failures of the run. */
  override name = 'BadInput'
}

/** Runs what looks at the input first: whatever it throws is the input's fault, but for an abort. */
export async function asBadInput<T>(look: () => T | Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error
    throw new BadInput(error.message, { cause: error })
  }
}
