/** Two soft bodies that are squeezed as a script says, each told by a field of its own. */
import { ElasticTouch, type TouchOptions } from '../../respond/index.js'
import { FemBody } from '../../sim/index.js'
import type { NodesField } from '../touch/touch-scene.js'
import type { SqueezedBody, SqueezeScript } from './squeeze-script.js'

/** What tells where the surfaces are; undefined: the bodies go through each other. */
export interface SqueezeFields {
  lower: NodesField
  upper: NodesField
}

export class SqueezeScene {
  readonly lower: FemBody
  readonly upper: FemBody
  /** Their contact; undefined where they go through each other. */
  readonly touch: ElasticTouch | undefined
  /** Since the beginning [s]. */
  time = 0
  readonly #script: SqueezeScript
  readonly #targets: Float64Array

  /** @throws RangeError if an option is out of range */
  constructor(script: SqueezeScript, fields: SqueezeFields | undefined, options: TouchOptions = {}) {
    this.#script = script
    this.lower = begun(script.lower)
    this.upper = begun(script.upper)
    this.#targets = new Float64Array(3 * script.upper.held.length)
    if (!fields) return
    const { lower, upper } = this
    const [bodyField, toolField] = [fields.lower(lower), fields.upper(upper)]
    this.touch = new ElasticTouch({ body: lower, bodyField, tool: upper, toolField }, options)
  }

  /** Moves the held nodes and both bodies on. @param frame  [s] */
  step(frame: number): void {
    const { lower, upper, touch } = this
    this.time += frame
    if (this.time < this.#script.released) {
      this.#script.heldAt(this.time, this.#targets)
      upper.movePinned(this.#targets)
    } else if (upper.hasPins) upper.pin([])
    if (touch) touch.step(frame)
    else for (const body of [lower, upper]) body.step(frame)
  }
}

function begun({ mesh, start, held, options }: SqueezedBody): FemBody {
  const body = new FemBody(mesh, options)
  body.positions.set(start)
  body.pin(held)
  return body
}
