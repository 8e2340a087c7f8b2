/** Pulling at a body over and over, the same for every scene: so that one can be compared with another. */
import type { Random } from '../../index.js'
import type { Pull } from '../../sim/index.js'
import type { PulledScene } from './pulled-scene.js'

export interface PullScriptOptions {
  /** How far a vertex is pulled from where it was, as a share of the body's size. */
  reach?: number
  /** Vertices that are pulled at once. */
  pulls?: number
  /** How long one pull takes, and the rest after it [s]. */
  pulling?: number
  resting?: number
}
export const PULL_SCRIPT_DEFAULTS = { reach: 0.6, pulls: 2, pulling: 1, resting: 0.5 } as const

/** Pulls by itself as its time goes on. */
export class PullScript {
  private held: { pull: Pull; from: Float64Array; to: Float64Array }[] = []
  private time = 0
  private readonly settings: Required<PullScriptOptions>

  constructor(
    private readonly scene: PulledScene,
    private readonly random: Random,
    options: PullScriptOptions = {},
  ) {
    this.settings = { ...PULL_SCRIPT_DEFAULTS, ...options }
  }

  /** Before each step of the scene. @param dt  [s] */
  advance(dt: number): void {
    const { pulling, resting } = this.settings
    if (this.time === 0) this.grasp()
    this.time += dt
    const share = Math.min(1, this.time / pulling)
    for (const { pull, from, to } of this.held) {
      for (let axis = 0; axis < 3; axis++) pull.target[axis] = from[axis] + share * (to[axis] - from[axis])
    }
    if (this.time >= pulling && this.held.length > 0) this.letGo()
    if (this.time >= pulling + resting) this.time = 0
  }

  private grasp(): void {
    const { scene, random } = this
    const { reach, pulls } = this.settings
    this.held = Array.from({ length: pulls }, () => {
      const pull = scene.pull(random.below(scene.body.vertexCount))
      const from = pull.target.slice()
      const way = [random.normal(), random.normal(), random.normal()]
      const length = (reach * scene.size) / Math.hypot(...way)
      const to = from.map((value, axis) => value + length * way[axis])
      // Not through the table.
      to[1] = Math.max(to[1], 0)
      return { pull, from, to }
    })
  }

  private letGo(): void {
    for (const { pull } of this.held) this.scene.release(pull)
    this.held = []
  }
}
