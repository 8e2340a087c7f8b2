/** What specs of self-contact have in common, whether of joint angles or of learned codes. */
import { z } from 'zod'

/** Which triangles may touch, as shares of the diagonal at rest: near along the surface, or nearly touching there. */
export const neighbours = z
  .strictObject({ along: z.number().min(0).max(1).optional(), near: z.number().min(0).max(1).optional() })
  .optional()

/** Of `network`: the paper's has one activation, and `hidden` are the widths of its encoder. */
export const CONTACT_NETWORK = { pliant: ['hidden', 'activation'], paper: ['hidden'] }
