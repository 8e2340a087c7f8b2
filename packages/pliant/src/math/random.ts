/**
 * Seeded random numbers: sfc32, the same sequence on every engine. Each task of a parallel job takes its own stream
 * (`randomStream(seed, task)`), so that results do not depend on which worker did what, nor on a resume.
 */
export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  uniform(): number
  /** Uniform in [lower, upper). */
  between(lower: number, upper: number): number
  /** Uniform integer in [0, n). */
  below(n: number): number
  /** Standard normal. */
  normal(): number
}

/** Random numbers of a seed, the same on every engine; another stream of the same seed gives others. */
export function randomStream(seed: number, stream = 0): Random {
  let a = seed | 0
  let b = stream | 0
  let c = Math.trunc(seed / 4294967296) ^ 0x9e3779b9
  let d = 1
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11) | 0
    c = (c + t) | 0
    return t >>> 0
  }
  // Nearby seeds start with correlated states; 16 rounds separate them.
  for (let i = 0; i < 16; i++) next()

  const uniform = (): number => next() / 4294967296
  let spare = Number.NaN
  return {
    uniform,
    between: (lower, upper) => lower + (upper - lower) * uniform(),
    below: (n) => Math.floor(uniform() * n),
    normal() {
      if (!Number.isNaN(spare)) {
        const value = spare
        spare = Number.NaN
        return value
      }
      // Box-Muller; 1 - u keeps the logarithm finite.
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
      const angle = 2 * Math.PI * uniform()
      spare = radius * Math.sin(angle)
      return radius * Math.cos(angle)
    },
  }
}
