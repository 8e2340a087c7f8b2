/** The numbers of the paper (Cai et al., sections 4 and 6), and what it leaves out, which is marked. */

export interface PaperOptions {
  /** Iterations of the first pass, which collects the point cloud, and of the second; without a second the first's is the result. */
  iterations: readonly [number, number]
  /** Steps of Adam over the whole batch after each iteration's samples. */
  epochs: number
  learningRate: number
  /** Uniform codes that are labelled in an iteration; those of the wrong sign are kept (section 4.2). */
  explore: number
  /** Uniform codes, of which the candidates nearest to the learned boundary are labelled (section 4.3). */
  pool: number
  candidates: number
  /** Candidates kept though their sign is right. */
  extra: number
  /** Codes of an iteration at which the slope should be one (section 4.4). */
  eikonal: number
  /** How far the slope may exceed one, xi of Eq. 4. */
  slack: number
  /** How slopes are computed: by the derivative itself, or by differences as the authors did. */
  slopes: 'exact' | 'differences'
  /** Codes of an iteration of the second pass whose distances are learned. Not in the paper. */
  distances: number
  /** Weights of the eikonal term in either pass, and of the distances: lambda, lambda1, lambda2. Not in the paper. */
  eikonalWeight: readonly [number, number]
  distanceWeight: number
  /** alpha of Eq. 16: from which distance on those of the point cloud are trusted in full. */
  trust: number
  hidden: readonly number[]
}

export const PAPER_DEFAULTS: PaperOptions = {
  iterations: [500, 500],
  epochs: 10,
  learningRate: 1e-3,
  explore: 500,
  pool: 50_000,
  candidates: 500,
  extra: 80,
  eikonal: 5000,
  slack: 0.2,
  slopes: 'exact',
  distances: 500,
  eikonalWeight: [0.1, 0.1],
  distanceWeight: 1,
  trust: 10,
  hidden: [70, 70],
}

/** Steps of Adam, shared between the passes as evenly as iterations go: 10,000 are the paper's 500 and 500. */
export function iterationsOf(
  steps: number,
  { epochs }: Pick<PaperOptions, 'epochs'> = PAPER_DEFAULTS,
): [number, number] {
  const iterations = Math.max(1, Math.round(steps / epochs))
  return [Math.ceil(iterations / 2), Math.floor(iterations / 2)]
}
