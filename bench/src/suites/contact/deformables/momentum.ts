/**
 * Two soft bodies that fly at each other by their learned fields, held by nothing: what their momenta together lose.
 */
import { ElasticTouch } from 'pliant/respond'
import { FemBody } from 'pliant/sim'
import { femMomentum } from 'pliant/unstable'
import { squeezeScript } from 'pliant/unstable/blocks'
import { boxedNodes, type SoftBody } from './soft-bodies.js'

export interface MomentumResult {
  pair: string
  collisions: number
  /** Largest change of both bodies' momentum together, as a share of what one brings, linear and angular. */
  linear: number
  angular: number
  /** Least share of its momentum that contact gave the lower body: that there was a collision at all. */
  given: number
}

const FRAME = 1 / 60
const FRAMES = 90
/**
 * Of the upper body [m/s], down and aside: at .8 m/s steps are violent, which do not keep all spin
 * (fem/violent-steps.ts).
 */
const VELOCITY = [0.06, -0.3, 0.04] as const

export async function measureMomentum(
  lower: SoftBody,
  upper: SoftBody,
  seeds: readonly number[],
): Promise<MomentumResult> {
  const fields = [await lower.learned(), await upper.learned()]
  const result = { pair: `${upper.name} on ${lower.name}`, collisions: 0, linear: 0, angular: 0, given: Infinity }
  try {
    for (const seed of seeds) {
      const script = squeezeScript(lower.subject, upper.subject, { seed })
      const [body, tool] = [script.lower, script.upper].map(({ mesh, start, options }) => {
        const fem = new FemBody(mesh, { ...options, gravity: [0, 0, 0] })
        fem.positions.set(start)
        return fem
      })
      for (let i = 0; i < tool.velocities.length; i++) tool.velocities[i] = VELOCITY[i % 3]
      const [bodyField, toolField] = [boxedNodes(fields[0])(body), boxedNodes(fields[1])(tool)]
      const touch = new ElasticTouch({ body, bodyField, tool, toolField }, { contact: 'surface' })
      const brought = femMomentum(tool)
      for (let frame = 0; frame < FRAMES; frame++) touch.step(FRAME)
      const [ofBody, ofTool] = [femMomentum(body), femMomentum(tool)]
      const size = Math.hypot(...brought.linear)
      result.collisions++
      result.linear = Math.max(result.linear, lost(brought.linear, ofBody.linear, ofTool.linear) / size)
      // Of a momentum that passes the middle by half the size.
      const arm = (size * lower.size) / 2
      result.angular = Math.max(result.angular, lost(brought.angular, ofBody.angular, ofTool.angular) / arm)
      result.given = Math.min(result.given, Math.hypot(...ofBody.linear) / size)
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    for (const field of fields) field.dispose()
  }
  return result
}

function lost(before: readonly number[], a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...before.map((value, axis) => a[axis] + b[axis] - value))
}
