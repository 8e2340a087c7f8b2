/**
 * Contacts of bodies where they stand while time does: somebody has put one elsewhere, perhaps into another, which no
 * simulation would. They push nothing.
 */
import { BroadPhase, SolidPair } from 'pliant/detect'
import type { RigidBody, SolvedContact } from 'pliant/sim'

export class StillContacts {
  readonly #broad = new BroadPhase()
  readonly #pairs = new Map<string, SolidPair>()

  constructor(private readonly bodies: readonly RigidBody[]) {}

  /** Of every pair that overlaps or touches, by the numbers of both. */
  find(): { bodies: [number, number]; contacts: SolvedContact[] }[] {
    const { bodies } = this
    const near: [number, number][] = []
    this.#broad.forPairs(
      bodies.map((body) => body.worldBox()),
      (i, j) => near.push([i, j]),
    )
    near.sort((x, y) => x[0] - y[0] || x[1] - y[1])
    return near
      .map(([i, j]) => ({ bodies: [i, j] as [number, number], contacts: this.#contactsOf(i, j) }))
      .filter(({ contacts }) => contacts.length > 0)
  }

  #contactsOf(i: number, j: number): SolvedContact[] {
    const [a, b, key] = [this.bodies[i], this.bodies[j], `${i},${j}`]
    const pair = this.#pairs.get(key) ?? new SolidPair(a.solid, b.solid)
    this.#pairs.set(key, pair)
    const list = pair.update(a.pose, b.pose, 0)
    return Array.from({ length: list.count }, (_, at) => {
      const { pointA, normal, separation } = list.at(at)
      return { point: triple(pointA), normal: triple(normal), separation, impulse: [0, 0, 0] }
    })
  }
}

function triple([x, y, z]: Float64Array): [number, number, number] {
  return [x, y, z]
}
