/** Names and two values each: of the pose that is asked for, and of the one that was made of it. */
import { element } from '../../shell/element.js'

/** Shown until there is a value. */
const NONE = '\u2026'

export class ComparisonTable {
  readonly root = element('table', { class: 'facts comparison' })
  readonly #cells = new Map<string, readonly [HTMLElement, HTMLElement]>()

  /** @param rows  test id and name of each; the cells' ids end in -before and -after */
  constructor(rows: readonly (readonly [id: string, name: string])[]) {
    this.root.append(
      element(
        'tr',
        {},
        element('td'),
        element('th', { scope: 'col' }, 'Before'),
        element('th', { scope: 'col' }, 'After'),
      ),
    )
    for (const [id, name] of rows) {
      const cells = [
        element('td', { 'data-testid': `${id}-before` }, NONE),
        element('td', { 'data-testid': `${id}-after` }, NONE),
      ] as const
      this.#cells.set(id, cells)
      this.root.append(element('tr', {}, element('th', { scope: 'row' }, name), ...cells))
    }
  }

  /** Takes a row away that says nothing of the body on show, or brings it back. */
  hide(id: string, hidden: boolean): void {
    this.#cells.get(id)![0].parentElement!.hidden = hidden
  }

  /** @param bad  sets a value apart */
  write(id: string, texts: readonly [string, string], bad: readonly [boolean, boolean] = [false, false]): void {
    this.#cells.get(id)!.forEach((cell, i) => {
      cell.textContent = texts[i]
      cell.classList.toggle('bad', bad[i])
    })
  }
}
