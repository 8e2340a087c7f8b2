/** What learning in a space of codes asks of whoever knows the truth: signs of codes, and points of the boundary. */
import type { Random } from 'pliant'
import type { Crossings } from './contact-tasks.js'

export interface ContactLabels {
  readonly codeSize: number
  /** Box of the codes. */
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** Tests that a point of the boundary takes, about: from two known ends, and from one code along a direction. */
  readonly testsPerPoint: { readonly between: number; readonly along: number }
  /** Codes as they come in use, to learn from and to evaluate on. */
  draw(count: number, random: Random): Float32Array
  /** @returns 1 for a free code, -1 for one that touches itself */
  signs(codes: Float32Array): Promise<Int8Array>
  /** Points of the boundary on the ways from free codes to touching ones. */
  between(free: Float32Array, touching: Float32Array): Promise<Crossings>
  /** Points of the boundary near codes, looked for along unit directions that should lead towards free ones. */
  along(codes: Float32Array, directions: Float32Array): Promise<Crossings>
}
