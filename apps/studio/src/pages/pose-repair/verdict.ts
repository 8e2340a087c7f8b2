/** Over the scene, in a word: whether the pose on show is free, by the exact test. */
import { element } from '../../shell/element.js'
import type { PoseLook } from './pose-protocol.js'

export class Verdict {
  readonly root = element('p', { class: 'verdict', role: 'status', 'data-testid': 'verdict' })

  show({ touching, pairs }: PoseLook): void {
    const text = touching
      ? `Touches itself: ${pairs.toLocaleString('en')} pair${pairs === 1 ? '' : 's'} of triangles meet`
      : 'Free of self-contact, exactly'
    // Those who hear the page are told of changes, not sixty times a second.
    if (this.root.textContent === text) return
    this.root.textContent = text
    this.root.classList.toggle('bad', touching)
  }
}
