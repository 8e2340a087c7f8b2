/** The ways to find contacts that are raced and judged: ours, the paper's, and what people use, under one interface. */
import type { ContactList } from 'pliant'
import { type OrientedBoxesOptions, PaperPair, type Solid, SolidPair } from 'pliant/detect'
import { boxesOfSolids, CUTS } from './boxes/surface-boxes.js'
import { MujocoPair } from './mujoco.js'

/** Two bodies, met again and again. */
export interface PairContacts {
  readonly contacts: ContactList
  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>): ContactList
}

export interface ContactMethod {
  name: string
  pairOf(a: Solid, b: Solid): PairContacts
}

export const METHODS: readonly ContactMethod[] = [
  { name: 'ours', pairOf: (a, b) => new SolidPair(a, b) },
  { name: "the paper's, one box a body", pairOf: (a, b) => new PaperPair({ solid: a }, { solid: b }) },
  { name: "MuJoCo's", pairOf: (a, b) => new MujocoPair(a, b) },
  { name: "MuJoCo's, 400 starts, 40 steps", pairOf: (a, b) => new MujocoPair(a, b, { starts: 400, steps: 40 }) },
]

/** Boxes of parts are halved once less than the one around a body (`PAPER_DEFAULTS`): cells as large for as long a search. */
const LEVELS_IN_PARTS = 3

/** The paper's with its decomposition, the ablation of its section 5.3: bodies are cut when they are first met. */
export function decomposedMethods(options: OrientedBoxesOptions): ContactMethod[] {
  return CUTS.map(({ method, name }) => {
    const boxesOf = boxesOfSolids({ ...options, method })
    return {
      name: `the paper's, ${name}`,
      pairOf: (a, b) =>
        new PaperPair({ solid: a, boxes: boxesOf(a) }, { solid: b, boxes: boxesOf(b) }, { levels: LEVELS_IN_PARTS }),
    }
  })
}
