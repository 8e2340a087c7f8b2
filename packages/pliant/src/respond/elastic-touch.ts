/**
 * Two-way contact between an elastic body and an elastic tool in a hand: the haptics of Zesch et al. 2022, section 4.1.
 * Each step the fields follow their bodies, vertices near a surface are pushed and their reaction goes to the nearest
 * triangle (surface-contacts.ts), the hand pulls at the wrist (hand-coupling.ts), and both bodies are stepped.
 *
 * Forces and stiffness of both bodies (`FemBody.forces`, `forceStiffness`) are written here, so do not write them too.
 */

import type { ContactList } from '../field/contact.js'
import type { MovingField, NodeState } from '../field/signed-field.js'
import type { Vec3 } from '../math/box.js'
import { requireDuration } from '../math/require.js'
import type { FemBody } from '../sim/fem/fem-body.js'
import { ContactSurface } from './contact-surface.js'
import { HandCoupling } from './hand-coupling.js'
import { PairMomentum } from './pair-momentum.js'
import { SurfaceContacts } from './surface-contacts.js'
import { type TouchOptions, type TouchSettings, touchSettings } from './touch-options.js'

/** Two bodies that touch, and the fields that tell where. */
export interface TouchPair {
  /** The body that is touched. */
  body: FemBody
  /** Its field in the world, learned or exact. */
  bodyField: MovingField<NodeState>
  /** The body that touches it. */
  tool: FemBody
  /** With it, vertices of the body are held out of the tool as well: thin tools, sharp corners of the body. */
  toolField?: MovingField<NodeState>
  /** Nodes of the tool that a hand holds; without any the tool is free. */
  wrist?: ArrayLike<number>
}

/** What the last frame was like; numbers are of its last step. */
export interface TouchReport {
  /** Force of contact on the tool [N]. */
  readonly force: Float64Array
  /** Torque of contact about the tool's centre of mass [N m]. */
  readonly torque: Float64Array
  /** Force of the tool on the hand [N]. */
  readonly handForce: Float64Array
  /** Torque of the tool about where the hand is [N m]. */
  readonly handTorque: Float64Array
  /** How many contacts push, of both bodies' surfaces. */
  contacts: number
  /**
   * How deep any place that was looked at was inside by the fields, at most, in any step of the frame [m]; 0 if none
   * was.
   */
  deepest: number
  /**
   * Those of the tool's surface: A is the body with its nearest triangle, B the tool with the vertex of its surface;
   * with `contact: 'surface'` from the number of vertices on with the edge, and after all edges with the triangle.
   */
  readonly touching: ContactList
}

/**
 * Contact between an elastic body and an elastic tool in a hand, both ways. It writes `forces` and `forceStiffness`
 * of both bodies, so do not write them too.
 */
export class ElasticTouch {
  /** The options with everything filled in. */
  readonly settings: Readonly<TouchSettings>
  /** What the last frame was like. */
  readonly report: TouchReport
  private readonly bodySurface: ContactSurface
  private readonly toolSurface: ContactSurface
  private readonly toolContacts: SurfaceContacts
  private readonly bodyContacts: SurfaceContacts | undefined
  private readonly hand: HandCoupling | undefined
  private readonly momentum: PairMomentum

  /** @throws RangeError if an option is out of range, the wrist is not of the tool, or the two are one */
  constructor(
    /** The two bodies and their fields. */ readonly pair: TouchPair,
    options: TouchOptions = {},
  ) {
    const { body, bodyField, tool, toolField, wrist } = pair
    if (!body?.settings || !tool?.settings || !bodyField) {
      throw new RangeError('touch: body, tool or bodyField is missing; pass two `FemBody` and a field of the first.')
    }
    if (body === tool) throw new RangeError('touch: body and tool are the same; pass two bodies.')
    this.settings = touchSettings(body, tool, options)
    this.bodySurface = new ContactSurface(body)
    const { handStiffness: stiffness, handDamping: damping, contact } = this.settings
    this.toolSurface = new ContactSurface(tool, wrist && { stiffness, damping })
    // Where both sides are looked at, each stands for half of the area.
    const share = toolField ? 0.5 : 1
    this.toolContacts = new SurfaceContacts(
      this.toolSurface,
      this.bodySurface,
      bodyField,
      this.settings,
      share,
      contact,
    )
    if (toolField) {
      const ofBody = [this.bodySurface, this.toolSurface] as const
      this.bodyContacts = new SurfaceContacts(...ofBody, toolField, this.settings, share, contact)
    }
    if (wrist) this.hand = new HandCoupling(tool, wrist, this.settings)
    this.momentum = new PairMomentum(body, tool)
    this.report = {
      force: new Float64Array(3),
      torque: new Float64Array(3),
      handForce: this.hand?.force ?? new Float64Array(3),
      handTorque: this.hand?.torque ?? new Float64Array(3),
      contacts: 0,
      deepest: 0,
      touching: this.toolContacts.contacts,
    }
  }

  /** Where the hand is [m]; the wrist's centre until it is moved. */
  get handPosition(): Vec3 | undefined {
    return this.hand?.position
  }

  /**
   * Where the hand is to be at the end of the next frame.
   * @param position  [m]
   * @param rotation  quaternion xyzw, from how the tool was when `ElasticTouch` was made
   * @throws RangeError if a number is not finite; Error if there is no wrist
   */
  moveHand(position: ArrayLike<number>, rotation: ArrayLike<number>): void {
    if (!this.hand) throw new Error('touch: nobody holds the tool; pass its `wrist` first.')
    this.hand.moveTo(position, rotation)
  }

  /**
   * Simulates one frame of both bodies.
   * @param frame  its duration [s]; nothing happens for 0 or less, and no more than `maxFrame` is simulated
   * @throws RangeError if the duration is not a number; what fields and bodies throw for positions that are not finite
   */
  step(frame: number): void {
    requireDuration('touch', frame)
    const { settings, report } = this
    const duration = Math.min(frame, settings.maxFrame)
    if (!(duration > 0)) return
    // A hair less, as in FemBody.step.
    const substeps = Math.max(1, Math.ceil(duration / settings.substep - 1e-9))
    report.deepest = 0
    for (let s = 0; s < substeps; s++) this.substep(duration / substeps, s / substeps, (s + 1) / substeps)
    this.hand?.arrive()
  }

  private substep(h: number, from: number, to: number): void {
    const { body, bodyField, tool, toolField } = this.pair
    const { report, toolContacts, bodyContacts, hand, momentum } = this
    bodyField.update({ nodes: body.positions })
    toolField?.update({ nodes: tool.positions })
    this.bodySurface.follow()
    this.toolSurface.follow()
    clearForces(body)
    clearForces(tool)
    toolContacts.push(h)
    bodyContacts?.push(h)
    report.contacts = toolContacts.contacts.count + (bodyContacts?.contacts.count ?? 0)
    body.isTouched = report.contacts > 0
    tool.isTouched = body.isTouched
    momentum.begin()
    hand?.pull(from, to, h)
    body.step(h)
    tool.step(h)
    momentum.end(h, report.force, report.torque)
    hand?.feel(momentum.toolMoves)
    report.deepest = Math.max(report.deepest, toolContacts.deepest, bodyContacts?.deepest ?? 0)
  }
}

function clearForces({ forces, forceStiffness }: FemBody): void {
  forces.fill(0)
  forceStiffness.fill(0)
}
