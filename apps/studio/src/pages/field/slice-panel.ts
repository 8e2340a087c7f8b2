/** Learned field, exact field and error map with their keys, and the read-out of the point under the cursor. */
import { SEQUENTIAL } from '../../draw/colour-map.js'
import { lengthText, threeDigits, unitFor } from '../../draw/length-text.js'
import { type ColourScale, paintIsoLine, paintValues } from '../../draw/slice-painter.js'
import { roundUp } from '../../draw/ticks.js'
import { element } from '../../shell/element.js'
import { ColourBar } from './colour-bar.js'
import { type DistanceStyle, distanceStyle, paintDistances } from './distance-style.js'
import type { SliceAnswer } from './field-protocol.js'
import type { ProbeReading } from './probe.js'
import { ReadOut } from './read-out.js'
import { type SliceError, sliceError } from './slice-error.js'
import type { SliceGrid } from './slice-plane.js'
import { type SlicePlace, SliceView } from './slice-view.js'
import type { StudioObject } from './studio-object.js'

/** Beyond the trained band there is no error to show. */
const OUTSIDE_BAND = '#1d232c'
const SURFACE_ON_ERROR = { colour: 'rgb(235 241 248 / 0.75)', width: 1.25 }

export class SlicePanel {
  /** Learned beside exact. */
  readonly fields: HTMLElement
  /** The error map, its numbers and the read-out. */
  readonly errors: HTMLElement
  readonly #learned: SliceView
  readonly #exact: SliceView
  readonly #error: SliceView
  readonly #distanceBar = new ColourBar('Colours of signed distance')
  readonly #errorBar = new ColourBar('Colours of the error')
  readonly #readOut = new ReadOut()
  readonly #mean = element('dd', { 'data-testid': 'error-mean' })
  readonly #max = element('dd', { 'data-testid': 'error-max' })
  #style: DistanceStyle = distanceStyle(1)
  #errorScale: ColourScale = { table: SEQUENTIAL, lower: 0, upper: 1 }
  #truncation = 1
  #diagonal = 1

  constructor(onPlace: (place: SlicePlace | undefined) => void) {
    this.#learned = new SliceView({ title: 'Learned field', testId: 'slice-learned', onPlace })
    this.#exact = new SliceView({ title: 'Exact field', testId: 'slice-exact', onPlace })
    this.#error = new SliceView({ title: 'Error', testId: 'slice-error', onPlace })
    this.fields = element(
      'section',
      { class: 'fields', 'aria-label': 'Learned and exact field' },
      this.#learned.root,
      this.#exact.root,
      this.#distanceBar.root,
    )
    this.errors = element(
      'section',
      { class: 'errors', 'aria-label': 'Error of the slice' },
      element('div', { class: 'error-map' }, this.#error.root, this.#errorBar.root),
      element('dl', { class: 'figures' }, ...figure('Mean of the slice', this.#mean), ...figure('Largest', this.#max)),
      element('h2', {}, 'Under the cursor'),
      this.#readOut.root,
    )
  }

  get style(): DistanceStyle {
    return this.#style
  }

  get errorScale(): ColourScale {
    return this.#errorScale
  }

  /** @param diagonal what percentages refer to [m] */
  setObject({ artifact }: StudioObject, diagonal: number): void {
    const { truncation, quality } = artifact.manifest
    this.#truncation = truncation
    this.#diagonal = diagonal
    this.#style = distanceStyle(truncation)
    // One scale for all poses, or colours of two poses could not be compared: to the 99th percentile, made round.
    this.#errorScale = { table: SEQUENTIAL, lower: 0, upper: roundUp(quality?.bandError.p99 || truncation / 10) }
    this.#distanceBar.show(this.#style.scale, unitFor(truncation), ['inside', 'outside'])
    this.#errorBar.show(this.#errorScale, unitFor(this.#errorScale.upper), ['', ''])
  }

  showLearned(grid: SliceGrid, values: Float32Array): void {
    const { width, height } = grid
    this.#learned.note = `the network at ${(width * height).toLocaleString('en')} points`
    this.#learned.show(grid, (context, into, pixels) => {
      paintDistances(context, { values, width, height }, this.#style, into, pixels)
    })
  }

  /** Shows the exact field and the error; both from the same answer, so that they belong to one pose. */
  showAnswer({ grid, learned, exact, level }: SliceAnswer): SliceError {
    const { width, height } = grid
    const error = sliceError(learned, exact, this.#truncation)
    this.#exact.note = level === 'fine' ? 'the triangles, by a refitted BVH' : 'refining\u2026'
    this.#exact.show(grid, (context, into, pixels) => {
      paintDistances(context, { values: exact, width, height }, this.#style, into, pixels)
    })
    const met = error.points > 0
    this.#error.note = met ? '|learned \u2212 exact| in the trained band' : 'the slice misses the trained band'
    this.#mean.textContent = met ? this.#figureOf(error.mean) : '\u2013'
    this.#max.textContent = met ? this.#figureOf(error.max) : '\u2013'
    this.#error.show(grid, (context, into, pixels) => {
      context.fillStyle = OUTSIDE_BAND
      context.fillRect(into.x, into.y, into.width, into.height)
      paintValues(context, { values: error.values, width, height }, this.#errorScale, into)
      const line = { ...SURFACE_ON_ERROR, width: SURFACE_ON_ERROR.width * pixels }
      paintIsoLine(context, { values: exact, width, height }, 0, line, into)
    })
    return error
  }

  set place(place: SlicePlace | undefined) {
    for (const view of [this.#learned, this.#exact, this.#error]) view.place = place
  }

  set reading(reading: ProbeReading | undefined) {
    this.#readOut.show(reading, this.#truncation)
  }

  dispose(): void {
    for (const part of [this.#learned, this.#exact, this.#error, this.#distanceBar, this.#errorBar]) part.dispose()
  }

  #figureOf(length: number): string {
    return `${lengthText(length, unitFor(length))} \u00b7 ${threeDigits((100 * length) / this.#diagonal)}\u202f%`
  }
}

function figure(name: string, value: HTMLElement): HTMLElement[] {
  return [element('dt', {}, name), value]
}
