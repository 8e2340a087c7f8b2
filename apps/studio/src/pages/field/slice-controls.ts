/** Where the slice stands: the axis it is square to and the place on it, plus how the surface is shown. */
import { lengthText, unitFor } from '../../draw/length-text.js'
import { Segments } from '../../shell/controls/segments.js'
import { element } from '../../shell/element.js'
import { AXIS_NAMES, type Axis, type SlicePlane } from './slice-plane.js'

export type SurfaceColour = 'plain' | 'error'

export interface SliceControlsOptions {
  onPlane(plane: SlicePlane): void
  onCutAway(on: boolean): void
  onSurfaceColour(colour: SurfaceColour): void
  /** Range of the place on an axis [m]. */
  range(axis: Axis): readonly [number, number]
}

export class SliceControls {
  readonly root: HTMLFieldSetElement
  readonly #axis: Segments<(typeof AXIS_NAMES)[number]>
  readonly #at: HTMLInputElement
  readonly #output = element('output', { for: 'slice-at', 'data-testid': 'slice-at-value' })
  #plane: SlicePlane = { axis: 2, at: 0 }

  constructor(private readonly options: SliceControlsOptions) {
    this.#axis = new Segments({
      name: 'axis',
      legend: 'Slice across',
      legendVisible: true,
      values: { x: 'Square to the x axis', y: 'Square to the y axis', z: 'Square to the z axis' },
      onChange: (name) => this.#choose(AXIS_NAMES.indexOf(name) as Axis),
    })
    this.#at = element('input', { type: 'range', id: 'slice-at', step: 'any', 'data-testid': 'slice-at' })
    const cutAway = element('input', { type: 'checkbox', checked: true, 'data-testid': 'cut-away' })
    const colour = element(
      'select',
      { id: 'surface-colour', 'data-testid': 'surface-colour' },
      element('option', { value: 'plain' }, 'plain'),
      element('option', { value: 'error' }, 'learned error'),
    )
    this.root = element(
      'fieldset',
      // Until there is an object to slice.
      { class: 'slice-controls', disabled: true },
      this.#axis.root,
      element('label', { class: 'slice-at', for: 'slice-at' }, 'at', this.#at, this.#output),
      element('label', { class: 'check' }, cutAway, 'Cut away'),
      element('label', { class: 'choice' }, 'Surface', colour),
    )
    this.#at.addEventListener('input', () => {
      this.options.onPlane({ axis: this.#plane.axis, at: this.#at.valueAsNumber })
    })
    this.#at.addEventListener('keydown', (event) => this.#nudge(event))
    cutAway.addEventListener('change', () => options.onCutAway(cutAway.checked))
    colour.addEventListener('change', () => options.onSurfaceColour(colour.value as SurfaceColour))
  }

  show(plane: SlicePlane): void {
    this.#plane = { ...plane }
    this.root.disabled = false
    const [lower, upper] = this.options.range(plane.axis)
    this.#axis.value = AXIS_NAMES[plane.axis]
    this.#at.min = String(lower)
    this.#at.max = String(upper)
    this.#at.value = String(plane.at)
    this.#output.value = `${AXIS_NAMES[plane.axis]} = ${lengthText(plane.at, unitFor(Math.max(-lower, upper)))}`
    this.#at.setAttribute('aria-valuetext', this.#output.value)
  }

  /** Another axis starts in the middle: the place on the old one means nothing there. */
  #choose(axis: Axis): void {
    const [lower, upper] = this.options.range(axis)
    this.options.onPlane({ axis, at: (lower + upper) / 2 })
  }

  #nudge(event: KeyboardEvent): void {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    const [lower, upper] = this.options.range(this.#plane.axis)
    const at = this.#plane.at + (direction * (upper - lower) * (event.shiftKey ? 10 : 1)) / 200
    this.options.onPlane({ axis: this.#plane.axis, at: Math.min(upper, Math.max(lower, at)) })
  }
}
