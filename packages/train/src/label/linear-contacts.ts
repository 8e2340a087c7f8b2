/** Exact labels of a body that bends by linear modes. */
import type { LinearShape } from 'pliant/unstable/exact'
import type { ContactSource } from './contact-pool.js'

export function linearContacts({ rest, modes, triangles, bounds }: LinearShape): ContactSource {
  const box = { lower: bounds.lower, upper: bounds.upper }
  return {
    bounds: box,
    task: new URL('./linear-contact-task.js', import.meta.url),
    start: { rest, modes, triangles, bounds: box },
  }
}
