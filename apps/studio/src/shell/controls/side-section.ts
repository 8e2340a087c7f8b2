/** A part of the side panel under its own heading. */
import { element } from '../element.js'

/** @param badges beside the heading */
export function sideSection(title: string, badges: readonly Node[], ...children: Node[]): HTMLElement {
  return element('section', {}, element('h2', {}, title, ...badges), ...children)
}
