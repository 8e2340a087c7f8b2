/**
 * What the page asks of a file, whatever it is of: a surface that moves with a code, how near its parts are to each other
 * by what was learned, and the exact test. One file in this folder for each kind, registered in ./index.ts.
 */
import type { ConfigurationField, KindName, Kinds, SelfContactQuality } from 'pliant'
import type { PosedShape } from 'pliant/exact'
import type { ClearanceField } from 'pliant/respond'
import type { ContactTest } from 'pliant/unstable/exact'

export interface PoseSubject {
  readonly name: string
  readonly backend: string
  readonly quality: SelfContactQuality | null
  /** Code -> vertices, and the way back. */
  readonly shape: PosedShape
  readonly entries: readonly CodeEntry[]
  readonly parts: PoseParts
  /** How far a code is from touching itself, with the box that it was trained in. */
  readonly field: ConfigurationField & { readonly bounds: PosedShape['bounds'] }
  readonly near: NearParts
  readonly exact: Pick<ContactTest, 'touches' | 'meetingPairs'>
  /** What each entry weighs in being moved; left out, one. */
  readonly weights?: Float64Array
  readonly motions: readonly CodeMotion[]
  dispose(): void
}

/** An entry of the code. */
export interface CodeEntry {
  name: string
  /** Entries of one group are shown together. */
  group: string
  /** What a value is multiplied by to be read, and in which unit. */
  readAs: { factor: number; unit: string; decimals: number }
}

/** Parts that light up. */
export interface PoseParts {
  ofTriangle: Uint16Array
  /** The group of entries that moves each part most; by its name. */
  groups: readonly string[]
}

/** How near parts are to each other, by what was learned. */
export interface NearParts {
  readonly field: ClearanceField
  /** Two parts for each pair; the same twice where the pair is a part by itself. */
  readonly ofPair: Uint16Array
  /** What people call each pair. */
  readonly names: readonly string[]
  /** `m`, or `code` for what is measured in the space of codes. */
  readonly unit: 'm' | 'code'
  /** Below this parts begin to light up, in that unit. */
  readonly glow: number
  /** What keeping a pose free keeps, in that unit. */
  readonly margin: number
}

/** Codes over time. */
export interface CodeMotion {
  readonly name: string
  /** [s] */
  readonly seconds: number
  /** @param time [s], from zero to the end */
  codeAt(time: number, out: Float64Array): void
}

/** A file with clips, for subjects that have a use for them. */
export interface MotionFile {
  name: string
  bytes: Uint8Array
}

/** Makes a subject of a decoded file. @throws Error in one line if something in it, or a motion, is of no use */
export type OpenSubject<Kind extends KindName> = (
  artifact: Kinds[Kind]['artifact'],
  motions: readonly MotionFile[],
) => Promise<PoseSubject>
