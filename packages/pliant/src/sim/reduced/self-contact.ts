/** What keeps a reduced body from running into itself, as its owner gives it. */
import type { ConfigurationField, ExactTest } from '../../field/configuration-field.js'

/** What keeps a body from running into itself. May be changed between steps. */
export interface SelfContact {
  /** Distance to self-contact in the space of codes; negative where the shape runs into itself. */
  field?: ConfigurationField
  /** The codes that the field knows, lower and upper end of each; the code is then kept within. */
  box?: { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> }
  /** An exact test, asked after each step that the field allows; a step into contact is taken back. */
  exact?: ExactTest
}
