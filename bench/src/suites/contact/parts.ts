/** What `pliant bench contact` measures, by name: what each part finds, and how much of the whole time it takes. */
import type { Machine } from '../../origin/machine.js'
import type { BoundsResult } from './bounds-fuzz.js'
import type { BoxesResult } from './boxes/measure-boxes.js'
import type { CubeSphereResult } from './cube-sphere.js'
import type { CurveResult } from './curves.js'
import type { DeformablesResult } from './deformables/measure.js'
import type { SoftFiles } from './deformables/soft-bodies.js'
import type { PairsResult } from './random-pairs.js'
import type { SceneFiles } from './scenes/bodies.js'
import type { RaceResult } from './scenes/race.js'
import type { StackingResult } from './stacking.js'
import type { WholeSurfaceResult } from './whole-surface.js'

export interface ContactFigures {
  pairs: PairsResult
  cubeSphere: CubeSphereResult
  curves: CurveResult
  bounds: BoundsResult
  /** Bunny and cone, armadillo and cylinder, shell and rock. */
  races: RaceResult[]
  stacking: StackingResult
  /** Cloth met all over its surface. */
  wholeSurface: WholeSurfaceResult
  /** Bodies in oriented boxes. */
  boxes: BoxesResult
  /** Two soft bodies in contact, each by its learned field. */
  deformables: DeformablesResult
}

export type PartName = keyof ContactFigures

/** Of the time that all take together, about; in the order in which they are measured. */
export const PART_SHARES: { readonly [Name in PartName]: number } = {
  curves: 0.02,
  cubeSphere: 0.04,
  bounds: 0.09,
  races: 0.15,
  stacking: 0.25,
  wholeSurface: 0.05,
  boxes: 0.05,
  deformables: 0.25,
  pairs: 0.35,
}

export interface ContactGiven {
  /** Parts to measure; all if not given. */
  parts?: readonly PartName[]
  /** Poses of the twenty shapes. */
  poses?: number
  seed?: number
  /** Trained files of scanned bodies; without them these are not raced. */
  scenes?: SceneFiles
  /** Trained files of bodies that deform; without them these are not squeezed. */
  soft?: SoftFiles
}

/** Those parts that were measured. */
export type ContactBenchResult = { machine: Machine } & Partial<ContactFigures>
