/** What a visitor can do: repair or keep repaired, choose what is shown, pose by sliders, play a motion. */
import { labelFor } from '../../shell/controls/labelled-range.js'
import { Segments } from '../../shell/controls/segments.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import { CodeGroups } from './code-groups.js'
import type { PoseOpened, PoseSettings, PoseSimulation, Shown, Switch } from './pose-protocol.js'

export interface PoseControlsOptions {
  onSettings(settings: Partial<PoseSettings>): void
  onCommand(command: PoseSimulation['command']): void
  onSave(): void
}

const SHOWN_TITLES: Readonly<Record<Shown, string>> = {
  before: 'The pose that is asked for',
  after: 'The pose that was made of it: free, or the same where nothing had to be done',
  both: 'The pose that was made, and as a ghost the one that is asked for',
}

export class PoseControls {
  readonly sections: readonly HTMLElement[]
  readonly groups: CodeGroups
  readonly #keep: ToggleButton
  readonly #show: Segments<Shown>
  readonly #motion = element('select', { id: 'motion', 'data-testid': 'motion' })
  readonly #play: ToggleButton
  readonly #motions: HTMLElement

  constructor({ onSettings, onCommand, onSave }: PoseControlsOptions) {
    this.#keep = new ToggleButton(
      'keep',
      ['Keep repaired', 'Keep repaired'],
      (on) => onSettings({ keep: on ? 'on' : 'off' }),
      'Every pose is moved to the nearest free one as it comes, by the learned distances; once it rests, the exact test has the last word',
    )
    this.#show = new Segments<Shown>({
      name: 'show',
      legend: 'Show',
      values: SHOWN_TITLES,
      onChange: (show) => onSettings({ show }),
    })
    this.groups = new CodeGroups((entry, value) => onCommand({ entry, value }))
    this.#play = new ToggleButton('play', ['Play', 'Pause'], (on) => onSettings({ play: on ? 'on' : 'off' }))
    this.#motion.addEventListener('change', () =>
      onSettings({ motion: this.#motion.value, play: this.#motion.value === '' ? 'off' : 'on' }),
    )
    this.#motions = sideSection(
      'Motion',
      [],
      element('div', { class: 'picker' }, labelFor('motion', 'Motion'), this.#motion, this.#play.root),
    )
    const repair = actionButton(
      'repair',
      'Repair',
      'Moves the pose to the nearest one that does not touch itself',
      () => onCommand('repair'),
    )
    repair.classList.add('main')
    this.sections = [
      sideSection(
        'Repair',
        [],
        element('div', { class: 'buttons' }, repair, this.#keep.root),
        element('div', { class: 'buttons' }, this.#show.root),
      ),
      sideSection(
        'Pose',
        [],
        this.groups.root,
        element(
          'div',
          { class: 'buttons' },
          actionButton('rest', 'Rest', 'Every entry of the code at zero', () => onCommand('rest')),
          actionButton('random', 'Random', 'Anything in the trained range', () => onCommand('random')),
          actionButton(
            'save',
            'Save\u2026',
            'The code of the pose on show, as .npy for `pliant repair --code`',
            onSave,
          ),
        ),
      ),
      this.#motions,
    ]
  }

  open(opened: PoseOpened): void {
    const { motions } = opened
    this.groups.open(opened)
    this.#motions.hidden = motions.length === 0
    this.#motion.replaceChildren(
      element('option', { value: '' }, 'None'),
      ...motions.map(({ name, seconds }) => element('option', { value: name }, `${name} (${seconds.toFixed(1)} s)`)),
    )
  }

  show({ keep, show, motion, play }: PoseSettings): void {
    this.#keep.on = keep === 'on'
    this.#show.value = show
    this.#motion.value = motion
    this.play = play
  }

  set play(play: Switch) {
    this.#play.on = play === 'on'
    this.#play.root.disabled = this.#motion.value === ''
  }
}
