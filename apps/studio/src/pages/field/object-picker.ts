/** Which object is on show: one of the list, or a file of one's own by button or by dropping it on the page. */
import { element } from '../../shell/element.js'
import type { ListedObject } from './studio-object.js'

export interface ObjectPickerOptions {
  onListed(object: ListedObject): void
  onFile(file: File): void
}

export class ObjectPicker {
  readonly root: HTMLElement
  readonly #select = element('select', { id: 'object', 'data-testid': 'object' })
  readonly #facts = element('p', { class: 'quiet', 'data-testid': 'object-facts' })
  readonly #listeners = new AbortController()
  #listed: readonly ListedObject[] = []

  constructor(options: ObjectPickerOptions) {
    const input = element('input', {
      type: 'file',
      accept: '.safetensors',
      class: 'visually-hidden',
      'data-testid': 'open-file',
    })
    this.root = element(
      'div',
      { class: 'picker' },
      element('label', { for: 'object', class: 'visually-hidden' }, 'Object'),
      this.#select,
      element('label', { class: 'button', title: 'Or drop a .safetensors file on the page' }, 'Open\u2026', input),
      this.#facts,
    )
    this.#select.addEventListener('change', () => {
      const object = this.#listed.find(({ file }) => file === this.#select.value)
      if (object) options.onListed(object)
    })
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      // Emptied, so that the same file can be opened again after it was trained anew.
      input.value = ''
      if (file) options.onFile(file)
    })
    this.#takeDrops(options)
  }

  list(objects: readonly ListedObject[]): void {
    this.#listed = objects
    this.#select.replaceChildren(...objects.map(({ file, title }) => element('option', { value: file }, title)))
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

  #takeDrops(options: ObjectPickerOptions): void {
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
        const file = event.dataTransfer?.files[0]
        if (!file) return
        event.preventDefault()
        options.onFile(file)
      },
      { signal },
    )
  }
}
