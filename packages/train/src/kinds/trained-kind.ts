/**
 * What the trainer does with a trained file, by what it is of: one file in this folder for each kind, registered in
 * ./index.ts. A kind has the members that apply to it; whoever needs one that it lacks refuses it (`toolOf`).
 */
import type { Artifact } from 'pliant'
import type { EvaluateOptions } from '../evaluate/judge.js'
import type { ContactSubject } from '../evaluate/self-contact.js'
import type { ViolentSubject } from '../evaluate/violent.js'
import type { PosedShapes } from '../poses/posed-shapes.js'

export interface TrainedKind<A extends Artifact = Artifact> {
  /** Files of one object are judged on the same shapes. */
  readonly sideBySide?: SideBySide<A>
  /** Opens its field, with poses from ordinary to violent. @throws Error if the file was never judged */
  violent?(artifact: A, options: EvaluateOptions): Promise<ViolentSubject>
  /** Opens its field over codes, with what tells the truth of them. */
  contacts?(artifact: A): Promise<ContactSubject>
  /** The file as an ONNX model that answers what its field answers. */
  onnx?(artifact: A): Uint8Array<ArrayBuffer>
}

export interface SideBySide<A extends Artifact> {
  /** In what the second file is of another object than the first; undefined if it is of the same. */
  differenceOf(first: A, second: A): string | undefined
  /**
   * Shapes that no training saw, the same for all files of the first one's object.
   * @returns the shapes as a file takes them
   */
  unseenShapes(first: A, options: EvaluateOptions): Promise<(artifact: A) => PosedShapes>
}
