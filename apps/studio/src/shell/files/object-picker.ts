/** Which object is on show: one of a list, or files of one's own by button or by dropping them on the page. */
import { element } from '../element.js'

export interface ListedEntry {
  /** Names it in the list and in addresses. */
  file: string
  title: string
}

export interface ObjectPickerOptions<Entry extends ListedEntry> {
  /** Ending of the files that can be opened, as in an input's `accept`. */
  accept: string
  /** How many files make one object. */
  multiple?: boolean
  /** Told where the button is pointed at. */
  hint: string
  onListed(entry: Entry): void
  onFiles(files: File[]): void
}

export class ObjectPicker<Entry extends ListedEntry> {
  readonly root: HTMLElement
  readonly #select = element('select', { id: 'object', disabled: true, 'data-testid': 'object' })
  readonly #facts = element('p', { class: 'quiet', 'data-testid': 'object-facts' })
  readonly #listeners = new AbortController()
  #listed: readonly Entry[] = []

  constructor(options: ObjectPickerOptions<Entry>) {
    const input = element('input', {
      type: 'file',
      accept: options.accept,
      multiple: options.multiple ?? false,
      class: 'visually-hidden',
      'data-testid': 'open-file',
    })
    this.root = element(
      'div',
      { class: 'picker' },
      element('label', { for: 'object', class: 'visually-hidden' }, 'Object'),
      this.#select,
      element('label', { class: 'button', title: options.hint }, 'Open\u2026', input),
      this.#facts,
    )
    this.#select.addEventListener('change', () => {
      const entry = this.#listed.find(({ file }) => file === this.#select.value)
      if (entry) options.onListed(entry)
    })
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])]
      // Emptied, so that the same file can be opened again after it was trained again.
      input.value = ''
      if (files.length > 0) options.onFiles(files)
    })
    this.#takeDrops(options)
  }

  list(entries: readonly Entry[]): void {
    this.#listed = entries
    this.#select.disabled = false
    this.#select.replaceChildren(...entries.map(({ file, title }) => element('option', { value: file }, title)))
  }

  /** @param listed its file in the list; undefined for one from disk, which gets an entry of its own */
  show(title: string, listed: string | undefined, facts: string): void {
    this.#select.querySelector('option[data-own]')?.remove()
    if (listed === undefined) this.#select.append(element('option', { value: '', 'data-own': true }, title))
    this.#select.value = listed ?? ''
    this.#facts.textContent = facts
  }

  dispose(): void {
    this.#listeners.abort()
  }

  #takeDrops(options: ObjectPickerOptions<Entry>): void {
    const { signal } = this.#listeners
    const mark = (on: boolean): void => {
      document.body.classList.toggle('drop-target', on)
    }
    addEventListener(
      'dragover',
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        mark(true)
      },
      { signal },
    )
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) mark(false)
      },
      { signal },
    )
    addEventListener(
      'drop',
      (event) => {
        mark(false)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0) return
        event.preventDefault()
        options.onFiles(files)
      },
      { signal },
    )
  }
}
