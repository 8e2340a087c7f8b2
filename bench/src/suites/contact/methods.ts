/** The ways to find contacts that are raced and judged: ours, the paper's, and what people use, under one interface. */
import type { ContactList } from 'pliant'
import { PaperPair, type Solid, SolidPair } from 'pliant/detect'

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
