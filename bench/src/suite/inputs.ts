/**
 * What a suite measures, as it is named on a command line. A suite declares its options as data and says what becomes of
 * their values; reading files, and refusing them in one line, is done by whoever runs it.
 */
import type { Artifact, KindName } from 'pliant'
import type { Clip, Skeleton, SkinnedSurface } from 'pliant/character'

export interface SuiteInputs<Given extends object = object> {
  /** By name, without the dashes. */
  readonly options: Readonly<Record<string, SuiteOption>>
  /** Whether it reads motions, which bring options of their own: how their joints are matched. */
  readonly readsMotions?: boolean
  /**
   * @param values  what was given, of the options above
   * @throws Error in one line if a value or a file is wrong
   */
  read(values: OptionValues, reader: InputReader): Promise<ReadInputs<Given>>
}

export interface SuiteOption {
  /** What the value is called in help, such as FILE; without it the option is a switch. */
  readonly value?: string
  readonly help: string
}

/** Of a switch that was given, an empty text. */
export type OptionValues = Readonly<Partial<Record<string, string>>>

export interface ReadInputs<Given extends object = object> {
  /** Goes to `Suite.run` as it is. */
  given: Given
  /** The motions that are played. */
  motions?: readonly PlayedMotion[]
  /** What else there is to know before the figures, a line each. */
  notes?: readonly string[]
}

/** A motion as it was read, and what is said of how well it fits: a line for people, and an object for `--json`. */
export interface ReadMotion {
  clip: Clip
  line: string
  json: object
}

export interface PlayedMotion extends ReadMotion {
  /** Whether the character was trained on it. */
  trained: boolean
}

/** All throw an Error in one line if a file is missing or of another kind. */
export interface InputReader {
  /** Path of a trained file that comes with Pliant. */
  builtIn(name: string): string
  /** Bytes of a trained file of any kind. */
  trained(path: string): Promise<Uint8Array>
  ofKind<Kind extends KindName>(path: string, kind: Kind): Promise<{ bytes: Uint8Array; artifact: Artifact<Kind> }>
  /** @param paths  separated by commas */
  motions(paths: string, body: { skeleton: Skeleton; surface: SkinnedSurface }): Promise<readonly ReadMotion[]>
}

/** Of a suite that brings all that it measures. */
export const NO_INPUTS: SuiteInputs = { options: {}, read: async () => ({ given: {} }) }
