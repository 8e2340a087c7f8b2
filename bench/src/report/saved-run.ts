/**
 * What `--save` keeps of a run. Parts that it measured replace those of the file that is there and the others stay, so that
 * an hour of one part and a race that wants a quiet machine need not be one run.
 */
import type { ResultFile, RunOrigin } from './result-file.js'

/**
 * @param parts   keys of the result that can be measured by themselves (`Suite.parts`); with none, the run is all there is
 * @param before  the file that is there, if there is one
 */
export function savedRun(run: ResultFile, parts: readonly string[] = [], before?: ResultFile): ResultFile {
  if (parts.length === 0) return run
  const result: Record<string, unknown> = { ...run.result }
  const origins: Record<string, RunOrigin> = {}
  for (const part of parts) {
    const from = [run, before].find((file) => file && Object.hasOwn(file.result, part))
    if (!from) continue
    result[part] = (from.result as Record<string, unknown>)[part]
    origins[part] = from.origins?.[part] ?? originOf(from)
  }
  const { result: _measured, ...rest } = run
  return { ...rest, origins, result }
}

function originOf({ date, machine, commit, quick }: RunOrigin): RunOrigin {
  return { date, machine, commit, quick }
}
