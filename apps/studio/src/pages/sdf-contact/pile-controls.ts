/** What a visitor can change: whether time passes, what falls, what contact goes by, and what of it is seen. */
import { LabelledRange } from '../../shell/controls/labelled-range.js'
import { Segments } from '../../shell/controls/segments.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import { type Marks, MOST_BODIES, type PileSettings, type Scans } from './pile-protocol.js'
import { ShapeEditor } from './shape-editor.js'

export interface PileControlsOptions {
  onSettings(settings: Partial<PileSettings>): void
  onStep(): void
  onReset(): void
}

const SCAN_TITLES: Readonly<Record<Scans, string>> = {
  voxels: 'Bunny and armadillo by distances sampled on a grid',
  learned: 'Bunny and armadillo by their trained networks',
}
const MARK_TITLES: Readonly<Record<Marks, string>> = {
  nothing: 'Bodies alone',
  normals: 'Contact points, and normals from one body to the other',
  forces: 'Contact points, what pushes (blue) and friction (orange): 4 mm for a newton',
}
/** Names that say less than they should. */
const TEXTS: Readonly<Record<string, string>> = { yours: 'your own', file: 'your file' }
/** Of the select in which no body is chosen. */
const ANY = 'deepest'

export class PileControls {
  readonly sections: readonly HTMLElement[]
  readonly #editor: ShapeEditor
  readonly #pause: ToggleButton
  readonly #kinds = element('div', { class: 'chips', role: 'group', 'aria-label': 'What falls' })
  readonly #chips = new Map<string, ToggleButton>()
  readonly #count: LabelledRange
  readonly #seed: LabelledRange
  readonly #friction: LabelledRange
  readonly #bounce: LabelledRange
  readonly #scans: Segments<Scans>
  readonly #marks: Segments<Marks>
  readonly #told = element('p', { class: 'quiet' })
  readonly #boxes = element('input', { id: 'boxes', type: 'checkbox', 'data-testid': 'boxes' })
  readonly #cells = element('input', { id: 'cells', type: 'checkbox', 'data-testid': 'cells' })
  readonly #pair = [0, 1].map((i) =>
    element('select', {
      'aria-label': i === 0 ? 'One body of the pair' : 'The other body of the pair',
      'data-testid': i === 0 ? 'first' : 'second',
    }),
  )
  readonly #options: PileControlsOptions
  #settings: PileSettings | undefined

  constructor(options: PileControlsOptions) {
    const { onSettings } = options
    this.#options = options
    this.#pause = new ToggleButton('pause', ['Pause', 'Continue'], (on) => onSettings({ run: on ? 'off' : 'on' }))
    const whole = (value: number): string => String(Math.round(value))
    this.#count = new LabelledRange('count', 'Bodies', 1, MOST_BODIES, whole, (value) => this.#setWhole('count', value))
    this.#seed = new LabelledRange('seed', 'Seed', 1, 60, whole, (value) => this.#setWhole('seed', value))
    const two = (value: number): string => value.toFixed(2)
    this.#friction = new LabelledRange('friction', 'Friction', 0, 1, two, (friction) => onSettings({ friction }))
    this.#bounce = new LabelledRange('bounce', 'Bounce', 0, 0.8, two, (bounce) => onSettings({ bounce }))
    this.#scans = new Segments<Scans>({
      name: 'scans',
      legend: 'Bunny and armadillo by',
      values: SCAN_TITLES,
      onChange: (scans) => onSettings({ scans }),
    })
    this.#marks = new Segments<Marks>({
      name: 'marks',
      legend: 'Shown where bodies touch',
      values: MARK_TITLES,
      onChange: (marks) => {
        this.#told.textContent = MARK_TITLES[marks]
        onSettings({ marks })
      },
    })
    this.#editor = new ShapeEditor((shape) => this.#dropShape(shape))
    this.#boxes.addEventListener('change', () => onSettings({ boxes: this.#boxes.checked ? 'on' : 'off' }))
    this.#cells.addEventListener('change', () => onSettings({ cells: this.#cells.checked ? 'on' : 'off' }))
    this.#pair.forEach((select, i) => {
      select.addEventListener('change', () => {
        const body = Number(select.value)
        onSettings(i === 0 ? { first: body } : { second: body })
      })
    })
    this.sections = [
      sideSection(
        'Time',
        [],
        element(
          'div',
          { class: 'buttons' },
          this.#pause.root,
          actionButton('step', 'Step', 'One step of 1/60 s', options.onStep),
          actionButton('reset', 'Reset', 'The same pile, above the tray again', options.onReset),
        ),
      ),
      sideSection('Shown where bodies touch', [], this.#marks.root, this.#told),
      sideSection(
        'Boxes of parts',
        [],
        element('label', { class: 'check', for: 'boxes' }, this.#boxes, 'Show bodies in oriented boxes'),
        element('p', { class: 'quiet' }, 'Each holds a part of the surface: a first guess at what may touch.'),
      ),
      sideSection(
        'Octree cells of an overlap',
        [],
        element('label', { class: 'check', for: 'cells' }, this.#cells, 'Show them of the pair'),
        element('div', { class: 'pair' }, this.#pair[0], this.#pair[1]),
        element(
          'p',
          { class: 'quiet' },
          'Pause, then drag one body into another: solid cells lie in both, by proof; open ones are at the border.',
        ),
      ),
      sideSection('What falls', [], this.#kinds, this.#count.root, this.#seed.root),
      sideSection('Your own body', [], this.#editor.root),
      sideSection('Bunny and armadillo by', [], this.#scans.root),
      sideSection('Surfaces', [], this.#friction.root, this.#bounce.root),
    ]
  }

  /** Another pile is on show. @param kinds  names that can fall */
  open(kinds: readonly string[]): void {
    this.#chips.clear()
    for (const kind of kinds) {
      const text = TEXTS[kind] ?? kind
      this.#chips.set(
        kind,
        new ToggleButton(`kind-${kind.replace(' ', '-')}`, [text, text], (on) => this.#setKind(kind, on)),
      )
    }
    this.#kinds.replaceChildren(...[...this.#chips.values()].map(({ root }) => root))
  }

  show(settings: PileSettings): void {
    this.#settings = settings
    this.#pause.on = settings.run === 'off'
    const names = settings.kinds.split(',')
    for (const [kind, chip] of this.#chips) chip.on = names.includes(kind)
    this.#count.value = settings.count
    this.#seed.value = settings.seed
    this.#friction.value = settings.friction
    this.#bounce.value = settings.bounce
    this.#scans.value = settings.scans
    this.#marks.value = settings.marks
    this.#told.textContent = MARK_TITLES[settings.marks]
    this.#boxes.checked = settings.boxes === 'on'
    this.#cells.checked = settings.cells === 'on'
    this.#editor.text = settings.shape
    for (const select of this.#pair) select.disabled = settings.cells === 'off'
    this.#pair.forEach((select, i) => {
      select.value = String(i === 0 ? settings.first : settings.second)
      // A body that there is not, or not yet.
      if (select.selectedIndex < 0) select.value = '0'
    })
  }

  /** Names of the bodies, in the order in which they fall. */
  set bodies(names: readonly string[]) {
    for (const select of this.#pair) {
      select.replaceChildren(
        element('option', { value: 0 }, ANY),
        ...names.map((name, i) => element('option', { value: i + 1 }, `${i + 1} ${name}`)),
      )
    }
    if (this.#settings) this.show(this.#settings)
  }

  /** Why the body of one's own is not what was asked for. */
  set problem(message: string | undefined) {
    this.#editor.refusal = message
  }

  #setWhole(name: 'count' | 'seed', value: number): void {
    const whole = Math.round(value)
    // A slider tells of every step between whole numbers, and each would drop the pile anew.
    if (whole !== this.#settings?.[name]) this.#options.onSettings({ [name]: whole })
  }

  #setKind(kind: string, on: boolean): void {
    const names = this.#settings?.kinds.split(',') ?? []
    const others = names.filter((name) => name !== kind)
    // Something has to fall.
    if (!on && others.length === 0) return
    this.#options.onSettings({ kinds: (on ? [...others, kind] : others).join(',') })
  }

  #dropShape(shape: string): void {
    const kinds = this.#settings?.kinds ?? ''
    const falls = kinds.split(',').includes('yours')
    this.#options.onSettings({ shape, ...(falls ? {} : { kinds: `yours,${kinds}` }) })
  }
}
