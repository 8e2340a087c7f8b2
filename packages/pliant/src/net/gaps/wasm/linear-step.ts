/** A layer that is linear, as a DENSE record: here and not beside the others, so that pages without gaps need not load it. */
import type { Rows, Step } from '../../wasm/dense-steps.js'
import { PANEL } from '../../wasm/pack.js'
import { ACTIVATION, FINISH } from '../../wasm/records.js'

/** One layer without an activation. @param beside  address of its bias */
export function linearStep(
  from: Rows,
  to: Rows,
  weight: number,
  inputs: number,
  outputs: number,
  beside: number,
): Step {
  return {
    from: from.at,
    fromStride: from.stride,
    to: to.at,
    toStride: to.stride,
    weight,
    inputs,
    panels: Math.ceil(outputs / PANEL),
    finish: FINISH.bias,
    beside,
    floor: -Infinity,
    activation: ACTIVATION.none,
    slopes: 0,
  }
}
