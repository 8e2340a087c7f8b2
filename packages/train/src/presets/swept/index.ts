/** Bodies that touch themselves when they bend, made in code: the models of the self-collision paper (Cai et al.). */
import type { TetMesh, Vec3 } from 'pliant'
import { type SweepOptions, sweepTets } from './sweep.js'

/** Of the ring's middle line, of its tube [m], and how much of the circle is open [rad]. */
const BRACELET = { radius: 0.05, tube: 0.004, opening: 0.7, along: 80 }

/** An open ring, lying flat, its opening towards +x: 1,296 triangles, or more of a finer sweep. */
export function makeBracelet(cells: Partial<Pick<SweepOptions, 'along' | 'across'>> = {}): TetMesh {
  const { radius, tube, opening, along } = BRACELET
  const curve = (s: number): { at: Vec3; radius: number } => {
    const angle = opening / 2 + s * (2 * Math.PI - opening)
    return { at: [radius * Math.cos(angle), 0, radius * Math.sin(angle)], radius: tube }
  }
  return sweepTets({ curve, along, ...cells })
}

const SPRING = { radius: 0.03, tube: 0.004, turns: 4, height: 0.08, along: 128 }

/** A helix about the y axis: 2,064 triangles. */
export function makeSpring(): TetMesh {
  const { radius, tube, turns, height, along } = SPRING
  const curve = (s: number): { at: Vec3; radius: number } => {
    const angle = 2 * Math.PI * turns * s
    return { at: [radius * Math.cos(angle), height * (s - 0.5), radius * Math.sin(angle)], radius: tube }
  }
  return sweepTets({ curve, along })
}

const SNAKE = { inner: 0.02, outer: 0.075, tube: 0.0075, turns: 2.5, along: 128 }

/** A snake that lies coiled: a flat spiral, head inside and raised, thinner towards the tail: 2,064 triangles. */
export function makeSnake(): TetMesh {
  const { inner, outer, tube, turns, along } = SNAKE
  const curve = (s: number): { at: Vec3; radius: number } => {
    const angle = 2 * Math.PI * turns * s
    const away = inner + (outer - inner) * s
    // The head is a bulge; the tail ends in a third of the thickness.
    const radius = tube * (1 - 0.65 * s ** 3) * (1 + 0.25 * Math.exp(-(((s - 0.03) / 0.025) ** 2)))
    return { at: [away * Math.cos(angle), 0.02 * (1 - s) ** 2, away * Math.sin(angle)], radius }
  }
  return sweepTets({ curve, along })
}
