/**
 * Samples of any kind as flat arrays with a name each: codes, labels, normals. A row is a sample; a column has so many
 * values for each. Round after round adds rows, and none is ever changed.
 */
import type { StoredTensor } from 'pliant/unstable'

export type ColumnArray = StoredTensor['data']
export type Columns = Readonly<Record<string, ColumnArray>>

/** Values of each row in each column. */
export type Widths<Names extends string> = Readonly<Record<Names, number>>

export class RoundData<C extends Columns> {
  private constructor(
    readonly widths: Widths<keyof C & string>,
    /** All rows, those of the first round first. */
    readonly columns: C,
    /** Where the rows of each round begin, and where the last one's end. */
    readonly firstRows: readonly number[],
  ) {}

  /** No rows yet. @throws RangeError if a width is not a whole number above 0, or there are no columns */
  static empty<C extends Columns>(widths: Widths<keyof C & string>): RoundData<C> {
    const entries = Object.entries<number>(widths)
    const wrong = entries.find(([, width]) => !(Number.isInteger(width) && width > 0))
    if (wrong) throw new RangeError(`rounds: column ${wrong[0]} has width ${wrong[1]}; give a whole number above 0.`)
    if (entries.length === 0) throw new RangeError('rounds: no columns; name at least one.')
    return new RoundData(widths, {} as C, [0])
  }

  get rows(): number {
    return this.firstRows[this.rounds]
  }

  get rounds(): number {
    return this.firstRows.length - 1
  }

  /** Views of the rows of one round. */
  ofRound(round: number): C {
    const [from, to] = [this.firstRows[round], this.firstRows[round + 1]]
    return mapColumns(this.widths, (name, width) => this.columns[name].subarray(from * width, to * width)) as C
  }

  /** @throws RangeError if a column is missing, unknown, of another type than before, or the rows are not equally many */
  with(added: C): RoundData<C> {
    const rows = rowsOf(added, this.widths)
    const columns = mapColumns(this.widths, (name) => {
      const [before, more] = [this.columns[name], added[name]]
      return before ? joined(name, before, more) : more.slice()
    })
    return new RoundData(this.widths, columns as C, [...this.firstRows, this.rows + rows])
  }
}

function rowsOf(columns: Columns, widths: Widths<string>): number {
  const unknown = Object.keys(columns).find((name) => widths[name] === undefined)
  if (unknown !== undefined) throw new RangeError(`rounds: column ${unknown} has no width; give one, or leave it out.`)
  const counts = Object.entries(widths).map(([name, width]) => {
    if (!columns[name]) throw new RangeError(`rounds: column ${name} is missing; acquire all of them.`)
    return { name, rows: columns[name].length / width }
  })
  const { rows } = counts[0]
  const wrong = counts.find((count) => count.rows !== rows || !Number.isInteger(rows))
  if (wrong) {
    throw new RangeError(
      `rounds: column ${wrong.name} has ${wrong.rows} rows, ${counts[0].name} ${rows}; acquire whole rows of all.`,
    )
  }
  return rows
}

function joined(name: string, before: ColumnArray, more: ColumnArray): ColumnArray {
  if (before.constructor !== more.constructor) {
    const types = [before, more].map((array) => array.constructor.name)
    throw new RangeError(`rounds: column ${name} was ${types[0]} and now is ${types[1]}; keep to one.`)
  }
  const all = new (before.constructor as new (length: number) => ColumnArray)(before.length + more.length)
  all.set(before)
  all.set(more, before.length)
  return all
}

/** In the order of the widths, whatever the order of the columns. */
function mapColumns(
  widths: Widths<string>,
  make: (name: string, width: number) => ColumnArray,
): Record<string, ColumnArray> {
  return Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, make(name, width)]))
}
