/**
 * What a trained file answers: the joint that it fits when it is loaded. It settles what the manifest says beside the
 * envelope, in which units, and which figures its quality has. A kind names its own (`ModelKind.answers`).
 * Those of codes are beside their figures (self-contact-quality.ts): who loads points need not load them.
 */
import { positive } from './checks.js'
import { checkQuality } from './quality.js'

export interface Answers {
  /** As `kind` of the manifest says it. */
  readonly name: string
  /**
   * Checks what a manifest says beside the envelope.
   * @throws Error naming the first field that is missing or wrong
   */
  check(manifest: Readonly<Record<string, unknown>>): void
}

/** Signed distances of points, learned up to a truncation (field/signed-field.ts). */
export const signedDistance: Answers = {
  name: 'signed-distance',
  check({ truncation, quality }) {
    positive(truncation, 'truncation')
    if (quality !== null) checkQuality(quality)
  },
}
