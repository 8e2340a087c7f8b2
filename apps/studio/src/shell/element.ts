/** One call makes an element with its properties, attributes and children. */
type Tags = HTMLElementTagNameMap
type Child = Node | string

/** Attributes by name; `class`, `data-testid`, `aria-*` and the like. `true` sets an empty one, `false` leaves it out. */
type Attributes = Record<string, string | number | boolean>

export function element<K extends keyof Tags>(tag: K, attributes: Attributes = {}, ...children: Child[]): Tags[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children)
  return made
}
