/** What a verb says of itself: enough to parse its call, print its help and write its section of docs/cli.md. */

export interface Operand {
  /** As it stands in the usage line, in capitals. */
  readonly name: string
  readonly help: string
  readonly optional?: boolean
}

export interface Option {
  /** What the value is called in help, such as FILE or N; without it the option is a switch. */
  readonly value?: string
  readonly help: string
  readonly required?: boolean
  /** It may be given several times; values are then joined by this. */
  readonly joinedBy?: string
  /** The only values it takes. */
  readonly choices?: readonly string[]
}

export interface Declaration {
  readonly name: string
  readonly summary: string
  readonly operands: readonly Operand[]
  readonly options: Readonly<Record<string, Option>>
  /** Commands a reader can paste. */
  readonly examples: readonly string[]
  /** Keys of the `--json` object, with their meaning and unit. */
  readonly json: Readonly<Record<string, string>>
  /** More to know, a sentence or two. */
  readonly notes?: string
}
