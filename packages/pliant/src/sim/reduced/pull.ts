/**
 * A spring from a vertex to a point, as a mouse or a hand has it: three soft rows on the velocity at the end of the step,
 * J u' + lambda / (h (h k + c)) = k (target - x) / (h k + c). That is implicit Euler of the spring, stable at any
 * stiffness. On the mean velocity it would not be: an infinitely stiff one would ring from step to step for ever.
 */
import { requireFinite, requireIndices } from '../../math/require.js'
import { NOT_NEGATIVE, POSITIVE, POSITIVE_OR_INFINITE, type Rules, settingsOf } from '../../math/settings.js'
import type { BodyStep } from './body-step.js'
import { type ConstraintRows, SOFT } from './constraint-rows.js'
import type { ReducedBody } from './reduced-body.js'
import { SOURCE } from './step-plan.js'

/** How hard a pull is. */
export interface PullOptions {
  /** [N/m], positive; however stiff. */
  stiffness?: number
  /** [N s/m], zero or more. */
  damping?: number
  /** Largest force along each axis [N]. */
  maxForce?: number
}

/** About what a hand does to a soft body of a kilogram. */
export const PULL_DEFAULTS: Readonly<Required<PullOptions>> = { stiffness: 500, damping: 5, maxForce: Infinity }

const RULES: Rules<Required<PullOptions>> = {
  stiffness: POSITIVE,
  damping: NOT_NEGATIVE,
  maxForce: POSITIVE_OR_INFINITE,
}

/** A spring from a vertex to a point, as a mouse has it. Made by `ReducedWorld.pull`. */
export class Pull {
  /** Where the vertex is pulled to [m], world. Yours to write. */
  readonly target = new Float64Array(3)
  /** Its stiffness [N/m], damping [N s/m] and largest force [N]. */
  readonly settings: Readonly<Required<PullOptions>>

  /** @internal */
  constructor(
    readonly body: ReducedBody,
    /** Which vertex is pulled. */
    readonly vertex: number,
    options: PullOptions = {},
  ) {
    requireIndices('pull', [vertex], 'vertex', body.vertexCount)
    this.settings = settingsOf('pull', options, PULL_DEFAULTS, RULES)
    body.vertex(vertex, this.target)
  }

  /** @internal */
  addRows(rows: ConstraintRows, b: number, step: BodyStep, source: number, h: number): void {
    requireFinite('pull', this.target, 'target value')
    const { stiffness, damping, maxForce } = this.settings
    const { body, world, rotation: r } = step
    const resistance = h * stiffness + damping
    const at = 3 * this.vertex
    for (let axis = 0; axis < 3; axis++) {
      const row = rows.add(SOFT, source * SOURCE + axis, b)
      const start = rows.starts[row]
      const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
      rows.values[start + axis] = 1
      // r x e.
      rows.values[start + 3 + i] = world[at + j] - body.position[j]
      rows.values[start + 3 + j] = -(world[at + i] - body.position[i])
      for (let k = 0; k < body.codeSize; k++) {
        const u = k * body.rest.length + at
        const moved =
          r[3 * axis] * body.modes[u] + r[3 * axis + 1] * body.modes[u + 1] + r[3 * axis + 2] * body.modes[u + 2]
        rows.values[start + 6 + k] = moved
      }
      rows.bounds[row] = (stiffness * (this.target[axis] - world[at + axis])) / resistance
      rows.compliances[row] = 1 / (h * resistance)
      rows.limits[row] = h * maxForce
    }
  }
}
