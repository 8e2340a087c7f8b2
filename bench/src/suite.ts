/** What every suite takes and gives. */

export interface SuiteOptions {
  signal?: AbortSignal
  onProgress?: (state: { fraction: number; stage: string; detail?: string }) => void
  /** Fewer repetitions: a first look in seconds. */
  quick?: boolean
  /** A trained artifact's bytes, for suites that measure one. */
  artifact?: Uint8Array
}

/** Measures, and gives its figures as plain JSON with stable keys. */
export type Suite = (options: SuiteOptions) => Promise<object>
