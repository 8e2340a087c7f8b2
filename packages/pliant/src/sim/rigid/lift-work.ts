/**
 * What pushing bodies apart lifts them by is work that nobody does: a body that rocks sinks in a little as its contacts are
 * found from step to step, and would be lifted for nothing each time, which swings it up. So that energy is taken from how
 * bodies move that push on each other. Slowing all of them alike leaves every contact as it is, since what parts with no
 * speed goes on to; bodies that nothing holds up are lifted by nothing in the sum, and keep their momentum.
 */
import type { BodyPair } from './body-pair.js'
import type { RigidBody } from './rigid-body.js'

export class LiftWork {
  /** Energy taken so far [J]. */
  taken = 0
  #parents = new Int32Array(0)
  #works = new Float64Array(0)
  #kinetics = new Float64Array(0)
  #pushed = new Float64Array(0)

  /** Call when bodies are about to move by velocities that push them apart. */
  begin(bodies: readonly RigidBody[], gravity: ArrayLike<number>): void {
    if (this.#parents.length !== bodies.length) {
      this.#parents = new Int32Array(bodies.length)
      this.#works = new Float64Array(bodies.length)
      this.#kinetics = new Float64Array(bodies.length)
      this.#pushed = new Float64Array(bodies.length)
    }
    bodies.forEach((body, i) => {
      this.#pushed[i] = along(gravity, body.velocity)
    })
  }

  /**
   * Call when velocities are settled, so that what is left of the others was to push apart.
   * @param h  how long bodies moved by the others [s]
   */
  takeBack(bodies: readonly RigidBody[], pairs: readonly BodyPair[], gravity: ArrayLike<number>, h: number): void {
    const [works, kinetics] = [this.#works, this.#kinetics]
    this.#joinTouching(bodies, pairs)
    works.fill(0)
    kinetics.fill(0)
    bodies.forEach((body, i) => {
      if (body.isFixed) return
      const group = this.#rootOf(i)
      works[group] += body.mass * h * (along(gravity, body.velocity) - this.#pushed[i])
      kinetics[group] += body.kineticEnergy()
    })
    bodies.forEach((body, i) => {
      const group = this.#rootOf(i)
      const [work, kinetic] = [works[group], kinetics[group]]
      if (body.isFixed || !(work > 0 && kinetic > 0)) return
      const share = Math.sqrt(Math.max(0, 1 - work / kinetic))
      for (let k = 0; k < 3; k++) {
        body.velocity[k] *= share
        body.angularVelocity[k] *= share
      }
      if (group === i) this.taken += Math.min(work, kinetic)
    })
  }

  /** Bodies that push on each other are one group; what is fixed joins nobody. */
  #joinTouching(bodies: readonly RigidBody[], pairs: readonly BodyPair[]): void {
    const numbers = new Map(bodies.map((body, i) => [body, i]))
    this.#parents.forEach((_, i) => {
      this.#parents[i] = i
    })
    for (const { a, b, points } of pairs) {
      if (a.isFixed || b.isFixed || points.every(({ impulses }) => impulses[0] === 0)) continue
      const [left, right] = [this.#rootOf(numbers.get(a) as number), this.#rootOf(numbers.get(b) as number)]
      this.#parents[Math.max(left, right)] = Math.min(left, right)
    }
  }

  #rootOf(body: number): number {
    let root = body
    while (this.#parents[root] !== root) root = this.#parents[root]
    return root
  }
}

function along(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
