/** Where there is neither wheel nor keys: buttons that push the hand away and pull it near for as long as they are held. */
import { element } from '../../shell/element.js'
import { onTouch } from '../../shell/pointer-kind.js'
import type { HandInput } from './hand-input.js'

export function depthButtons(input: HandInput): HTMLElement {
  const button = (text: string, code: string, testId: string): HTMLElement => {
    const made = element('button', { type: 'button', class: 'held', 'data-testid': testId }, text)
    made.addEventListener('pointerdown', () => input.hold(code, true))
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      made.addEventListener(end, () => input.hold(code, false))
    }
    return made
  }
  return element(
    'div',
    { class: 'buttons', hidden: !onTouch() },
    button('Hold: push away', 'PageUp', 'push'),
    button('Hold: pull near', 'PageDown', 'pull'),
  )
}
