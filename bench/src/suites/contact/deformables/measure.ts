/**
 * Two bodies that deform in contact, each told by a learned field of its own shape, which none of the papers has:
 * squeezed for ten seconds, thrown at each other, and laid into each other by codes alone.
 */
import { type BarsResult, measureBars } from './bars.js'
import { type MomentumResult, measureMomentum } from './momentum.js'
import { openBar, openSoftBody, type SoftFiles } from './soft-bodies.js'
import { measureSqueeze, type SqueezeResult, squeezeRuns } from './squeeze.js'

export interface DeformablesResult {
  /** Of the script [s]. */
  seconds: number
  seeds: number
  squeezed: SqueezeResult[]
  thrown: MomentumResult[]
  bars: BarsResult
}

export interface DeformablesSize {
  seed: number
  seeds: number
  /** How long the script takes, and how long passes are timed [s]. */
  seconds: number
  timed: number
  /** Of the bars. */
  poses: number
}

/** How many runs `measureDeformables` makes, for whoever tells its progress. */
export const deformablesRuns = (size: DeformablesSize): number => 2 * squeezeRuns(squeezeSize(size))

export async function measureDeformables(
  files: SoftFiles,
  size: DeformablesSize,
  told: (done: number) => Promise<void>,
): Promise<DeformablesResult> {
  const [bunny, hand] = [await openSoftBody('bunny', files.bunny), await openSoftBody('hand', files.hand)]
  const each = squeezeSize(size)
  const squeezed: SqueezeResult[] = []
  const thrown: MomentumResult[] = []
  for (const upper of [bunny, hand]) {
    const before = squeezed.length * squeezeRuns(each)
    squeezed.push(await measureSqueeze(bunny, upper, each, (done) => told(before + done)))
    thrown.push(await measureMomentum(bunny, upper, each.seeds))
  }
  const bars = await measureBars(await openBar(files.bar), size.poses, size.seed, size.timed)
  return { seconds: size.seconds, seeds: size.seeds, squeezed, thrown, bars }
}

function squeezeSize({ seed, seeds, seconds, timed }: DeformablesSize): Parameters<typeof measureSqueeze>[2] {
  return { seeds: Array.from({ length: seeds }, (_, i) => seed + i), seconds, timed }
}
