/** A reduced body from the trained file that keeps it from running into itself. */
import type { SelfContactArtifact } from '../../artifact/kinds/self-contact.js'
import type { ConfigurationField, ExactTest } from '../../field/configuration-field.js'
import type { ReducedBody } from './reduced-body.js'
import { type ReducedTetsOptions, reducedBodyOfTets } from './reduced-tets.js'

/** How a body made from its file resists, and what keeps it from running into itself. */
export interface ReducedArtifactOptions extends Omit<ReducedTetsOptions, 'selfContact'> {
  /** What `load` makes of the file, or another field of its codes; left out, only the box of codes is kept. */
  field?: ConfigurationField
  /** An exact test, asked after each step that the field allows. */
  exact?: ExactTest
}

/**
 * A reduced body from a file of kind 'self-contact', which stands where its mesh is; its code is that of the file, and is
 * kept in the box that was trained. Modes of a file are scaled already, U = s V: modal masses s^2 follow from U itself,
 * and stiffnesses w^2 s^2 from these and the file's eigenvalues. The field stays yours to dispose of.
 * @throws RangeError if a mode moves the whole body, or the material is not that of the modes
 */
export function reducedBodyOfArtifact(
  { manifest, model, body }: Pick<SelfContactArtifact, 'manifest' | 'model' | 'body'>,
  { field, exact, ...options }: ReducedArtifactOptions = {},
): ReducedBody {
  const { eigenvalues, material } = manifest.model
  return reducedBodyOfTets(
    { mesh: body.mesh, modes: body.modes, eigenvalues, material },
    { ...options, selfContact: { field, box: model.bounds, exact } },
  )
}
