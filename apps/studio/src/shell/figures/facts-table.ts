/** Names and values, the values to be written again and again. */
import { element } from '../element.js'

/** Shown until there is a value. */
const NONE = '\u2026'

export class FactsTable {
  readonly root = element('table', { class: 'facts' })
  readonly #cells = new Map<string, HTMLElement>()

  /** @param rows test id and name of each */
  constructor(rows: readonly (readonly [id: string, name: string])[]) {
    for (const [id, name] of rows) this.add(id, name)
  }

  /** @param emphasis sets the row apart, as a sum */
  add(id: string, name: string, emphasis = false): void {
    const cell = element('td', { 'data-testid': id }, NONE)
    this.#cells.set(id, cell)
    const heading = element('th', { scope: 'row' }, name)
    this.root.append(element('tr', { class: emphasis ? 'sum' : '' }, heading, cell))
  }

  write(id: string, text: string): void {
    this.#cells.get(id)!.textContent = text
  }

  clear(): void {
    for (const cell of this.#cells.values()) cell.textContent = NONE
  }
}

export function milliseconds(value: number): string {
  return `${value.toFixed(2)}\u202fms`
}

/** @param share of one */
export function percent(share: number): string {
  return `${(100 * share).toFixed(2)}\u202f%`
}
