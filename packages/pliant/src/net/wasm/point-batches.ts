/** Batches of points through WebAssembly memory: staging buffers by which they come in and answers go out. */
import type { Floats } from '../../math/floats.js'
import type { Arena } from '../../math/wasm/arena.js'
import type { KernelInstance } from './kernel-instance.js'
import type { Driver } from './kernel-module.js'

/** Points per trip through the staging buffers. */
const CAPACITY = 4096

/** Where points come from and answers go to: addresses that programs name. */
export interface Staging {
  points: number
  values: number
  gradients: number
}

export function reserveStaging(arena: Arena): Staging {
  return {
    points: arena.reserve(3 * CAPACITY),
    values: arena.reserve(CAPACITY),
    gradients: arena.reserve(3 * CAPACITY),
  }
}

/** A program of points, and what it takes. */
export interface PointProgram {
  staging: Staging
  address: number
  /** Multiplications per point. */
  work: number
  /** Called when threads are about to share points. */
  beforeSharing?: () => void
}

/** Answers `count` points by a program. */
export function answerPoints(
  instance: KernelInstance<Driver>,
  { staging, address, work, beforeSharing }: PointProgram,
  points: Floats,
  count: number,
  outValues: Floats,
  outGradients?: Floats,
): void {
  const { floats } = instance
  const [pointsAt, valuesAt, gradientsAt] = [staging.points / 4, staging.values / 4, staging.gradients / 4]
  for (let start = 0; start < count; start += CAPACITY) {
    const size = Math.min(CAPACITY, count - start)
    // Loops, not set(subarray): no allocation per query, and faster for a few points.
    for (let i = 0; i < 3 * size; i++) floats[pointsAt + i] = points[3 * start + i]
    instance.run(address, size, work, beforeSharing)
    for (let i = 0; i < size; i++) outValues[start + i] = floats[valuesAt + i]
    if (!outGradients) continue
    for (let i = 0; i < 3 * size; i++) outGradients[3 * start + i] = floats[gradientsAt + i]
  }
}
