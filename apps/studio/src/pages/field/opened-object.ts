/** All that belongs to the object on show, and goes when another is opened. */

import { boxOfPoints } from 'pliant'
import { boxDiagonal } from 'pliant/unstable'
import { CodeSliders } from '../../shell/controls/code-sliders.js'
import { FieldClient, type FieldClientEvents } from './field-client.js'
import { LearnedSlicer } from './learned-slice.js'
import { Probe } from './probe.js'
import type { SliceError } from './slice-error.js'
import type { StudioObject } from './studio-object.js'

/** Of the range of a code's entries that sliders reach beyond either end. */
const OVERSHOOT = 0.25

/** What the last answer of the worker came to. */
export interface ShownAnswer {
  /** Drawn from the fine slice of the newest request. */
  settled: boolean
  error: Omit<SliceError, 'values'>
  learnedMean: number
  exactMean: number
}

export class OpenedObject {
  readonly object: StudioObject
  readonly code: Float64Array
  /** Vertices [m] at the code. */
  readonly positions: Float64Array
  readonly slicer: LearnedSlicer
  readonly probe: Probe
  readonly client: FieldClient
  readonly sliders: CodeSliders
  /** Of the rest shape's box [m]; percentages refer to it. */
  readonly diagonal: number
  answer: ShownAnswer | undefined

  constructor(object: StudioObject, events: FieldClientEvents & { onCode(code: number[]): void }) {
    const { manifest, model } = object.artifact
    this.object = object
    this.code = new Float64Array(manifest.code.size)
    this.positions = new Float64Array(model.rest)
    this.slicer = new LearnedSlicer(object.field, object.artifact.manifest.networks.distance.domain)
    this.probe = new Probe(object)
    this.client = new FieldClient(object.bytes, events)
    this.sliders = new CodeSliders({ ...manifest.code, overshoot: OVERSHOOT, onInput: events.onCode })
    this.diagonal = boxDiagonal(boxOfPoints(model.rest))
  }

  /** Takes a code of the right length; another, from an address of another object say, is ignored. */
  setCode(code: ArrayLike<number>): void {
    if (code.length === this.code.length) this.code.set(code)
  }

  /** Shape and field at the code. */
  pose(): void {
    this.object.artifact.model.positions(this.code, this.positions)
    this.object.field.update({ code: this.code })
    this.probe.moved()
  }

  dispose(): void {
    this.client.dispose()
    this.object.field.dispose()
  }
}
