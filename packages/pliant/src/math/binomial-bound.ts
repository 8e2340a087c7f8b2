/**
 * How large a share may be of which a few were seen: the one-sided upper bound of Clopper and Pearson (1934). It is the
 * share at which so few hits, or fewer, would be seen with a chance of 1 - confidence; no approximation, also for none.
 */

/** Halvings of an interval of at most one: beyond the digits of a double near 1e-6. */
const HALVINGS = 70

/**
 * @param hits        how often it was seen, a whole number from 0 to `trials`
 * @param trials      how often it was looked for; with none nothing is known
 * @param confidence  above 0, below 1
 * @returns 0 to 1
 */
export function binomialUpperBound(hits: number, trials: number, confidence: number): number {
  if (hits >= trials) return 1
  const chance = Math.log(1 - confidence)
  const ways = logWays(hits, trials)
  let [lower, upper] = [hits / trials, 1]
  for (let i = 0; i < HALVINGS; i++) {
    const share = (lower + upper) / 2
    if (logChanceOfFewer(hits, trials, share, ways) > chance) lower = share
    else upper = share
  }
  return upper
}

/** log P(X <= hits): terms fall from that of `hits` down, as the share is above hits / trials. */
function logChanceOfFewer(hits: number, trials: number, share: number, ways: number): number {
  const odds = (1 - share) / share
  let [term, sum] = [1, 1]
  for (let i = hits; i > 0 && term > Number.EPSILON * sum; i--) {
    term *= (i / (trials - i + 1)) * odds
    sum += term
  }
  return ways + hits * Math.log(share) + (trials - hits) * Math.log1p(-share) + Math.log(sum)
}

/** log of the binomial coefficient. */
function logWays(hits: number, trials: number): number {
  let sum = 0
  for (let i = 1; i <= hits; i++) sum += Math.log((trials - hits + i) / i)
  return sum
}
