/** Where a step's time goes: the same broad phase and the same contacts, with the time of their calls added up. */
import { BroadPhase, SolidPair } from 'pliant/detect'
import { type PairFactory, RIGID_WORLD_DEFAULTS } from 'pliant/sim'

export class PileClock {
  /** [ms] */
  broad = 0
  contacts = 0

  reset(): void {
    this.broad = this.contacts = 0
  }

  get broadPhase(): BroadPhase {
    return new TimedBroadPhase(this)
  }

  readonly contactsOf: PairFactory = (a, b) => {
    const pair = new SolidPair(a, b, { maxContacts: RIGID_WORLD_DEFAULTS.maxContacts })
    return {
      contacts: pair.contacts,
      update: (poseA, poseB, gap) => {
        const began = performance.now()
        const list = pair.update(poseA, poseB, gap)
        this.contacts += performance.now() - began
        return list
      },
    }
  }
}

class TimedBroadPhase extends BroadPhase {
  constructor(private readonly clock: PileClock) {
    super()
  }

  override forPairs(...words: Parameters<BroadPhase['forPairs']>): void {
    const began = performance.now()
    super.forPairs(...words)
    this.clock.broad += performance.now() - began
  }
}
