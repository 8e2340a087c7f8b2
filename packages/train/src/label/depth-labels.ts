/** What learning how deep shapes are in themselves asks of whoever knows the truth, whatever shapes are. */
import type { ContactLabels } from './contact-labels.js'

export interface DepthLabels extends Pick<ContactLabels, 'codeSize' | 'bounds' | 'draw'> {
  /** Entries of the code that are each domain's own; those of none are shared. */
  readonly domains: readonly (readonly number[])[]
  /** What to give where codes tell nothing, the beginning of a sentence. */
  readonly advice: string
  /**
   * How deep each domain is in the rest of the shape.
   * @param codes   one after the other
   * @param onDone  told how many of the codes are done, as they are
   * @returns a number for each domain of each code [m], zeros for a free one
   */
  depths(codes: Float32Array, onDone?: (count: number) => void): Promise<Float32Array>
}
