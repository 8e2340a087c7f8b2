/** All verbs, in the order in which help lists them. */
import type { Verb } from '../verb.js'
import { bench } from './bench.js'
import { contact } from './contact.js'
import { distance } from './distance.js'
import { evaluate } from './evaluate.js'
import { exportVerb } from './export.js'
import { inspect } from './inspect.js'
import { presets } from './presets.js'
import { query } from './query.js'
import { repair } from './repair.js'
import { reproduce } from './reproduce.js'
import { selfCollide } from './self-collide.js'
import { selfDistance } from './self-distance.js'
import { studio } from './studio.js'
import { train } from './train.js'

export const verbs: readonly Verb[] = [
  inspect,
  distance,
  selfCollide,
  presets,
  train,
  query,
  selfDistance,
  repair,
  evaluate,
  contact,
  exportVerb,
  bench,
  reproduce,
  studio,
]
