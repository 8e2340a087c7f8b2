/** What the paper prints of its own models (Cai et al., Table 1): 50,000 uniform codes, 2 x 70 ReLU, 500 + 500 iterations. */

export interface PrintedRow {
  body: string
  modes: number
  /** Share of codes whose sign is right [%]. */
  eta: number
  /** Mean error of signed distances [unit of the code]. */
  distance: number
  /** Mean of | |grad f| - 1 | and standard deviation of |grad f|. */
  gradient: number
  spread: number
}

/** Body, modes, eta [%], e_sd, e_grad, sigma_grad. */
const TABLE_1 = [
  ['snake', 3, 99.77, 0.0139, 0.0866, 0.1192],
  ['snake', 4, 99.62, 0.0206, 0.1039, 0.1343],
  ['snake', 5, 98.51, 0.0439, 0.1995, 0.2594],
  ['snake', 6, 96.11, 0.0834, 0.214, 0.2728],
  ['snake', 7, 95.2, 0.1151, 0.2542, 0.3226],
  ['bunny', 3, 99.93, 0.0122, 0.084, 0.117],
  ['bunny', 4, 99.5, 0.0312, 0.1911, 0.2505],
  ['bunny', 5, 98.69, 0.0436, 0.2305, 0.2949],
  ['bunny', 6, 96.95, 0.0746, 0.2583, 0.3249],
  ['bunny', 7, 94.87, 0.1036, 0.3205, 0.396],
  ['bracelet', 3, 99.77, 0.0189, 0.1191, 0.1595],
  ['bracelet', 4, 99.15, 0.0344, 0.1754, 0.2263],
  ['bracelet', 5, 98.12, 0.0507, 0.1886, 0.2403],
  ['bracelet', 6, 96.39, 0.0738, 0.2025, 0.2538],
  ['bracelet', 7, 94.68, 0.1099, 0.2263, 0.2805],
] as const

export const PAPER_TABLE_1: readonly PrintedRow[] = TABLE_1.map(([body, modes, eta, distance, gradient, spread]) => ({
  body,
  modes,
  eta,
  distance,
  gradient,
  spread,
}))

export function printedRow(body: string, modes: number): PrintedRow | undefined {
  return PAPER_TABLE_1.find((row) => row.body === body && row.modes === modes)
}
