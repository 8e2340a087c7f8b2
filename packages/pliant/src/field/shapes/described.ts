/**
 * Shapes as plain data, as scenes of files have them: `{ "shape": "union", "of": [...] }`. One line per shape in the table
 * below is all that a new one needs.
 */
import type { Vec3 } from '../../math/box.js'
import { shown } from '../../math/require.js'
import {
  difference,
  intersection,
  onion,
  rounded,
  smoothDifference,
  smoothIntersection,
  smoothUnion,
  union,
} from './combine.js'
import { bent, mirrored, type Placement, placed, repeated, twisted } from './place.js'
import { cone, type Polygon, prism, regularPrism } from './polygons.js'
import {
  box,
  boxFrame,
  capsule,
  cylinder,
  ellipsoid,
  halfSpace,
  heart,
  link,
  octahedron,
  roundCone,
  sphere,
  torus,
} from './primitives.js'
import type { Shape } from './shape.js'
import { shapesAsked } from './shapes-asked.js'

/** A shape as plain data: its name, what it is made of, and where it is put (`at`, `turn`, `scale`). */
export interface ShapeDescription {
  /** Its name: one of `shapeNames()`. */
  shape: string
  /** Sizes, and shapes that it is made of. */
  [part: string]: unknown
}

/** What a shape is made of, taken from its description one by one. */
class Parts {
  readonly #used = new Set(['shape', 'at', 'turn', 'scale'])

  constructor(
    readonly given: Record<string, unknown>,
    readonly path: string,
  ) {}

  number(name: string, otherwise?: number): number {
    const value = this.#take(name) ?? otherwise
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw this.#wrong(name, value, 'a number')
  }

  numbers<Count extends number>(name: string, count: Count): Count extends 4 ? [...Vec3, number] : Vec3 {
    const value = this.#take(name)
    if (Array.isArray(value) && value.length === count && value.every((each) => Number.isFinite(each)))
      return value as never
    throw this.#wrong(name, value, `${count} numbers`)
  }

  corners(name: string): Polygon {
    const value = this.#take(name)
    const isPair = (each: unknown): boolean => Array.isArray(each) && each.length === 2 && each.every(Number.isFinite)
    if (Array.isArray(value) && value.every(isPair)) return value as unknown as Polygon
    throw this.#wrong(name, value, 'corners, two numbers each')
  }

  axis(name: string): 0 | 1 | 2 {
    const value = this.#take(name)
    const axis = ['x', 'y', 'z'].indexOf(value as string)
    if (axis >= 0) return axis as 0 | 1 | 2
    throw this.#wrong(name, value, 'x, y or z')
  }

  shape(name: string): Shape {
    return read(this.#take(name), `${this.path}.${name}`)
  }

  shapes(name: string): Shape[] {
    const value = this.#take(name)
    if (!Array.isArray(value)) throw this.#wrong(name, value, 'a list of shapes')
    return value.map((each, i) => read(each, `${this.path}.${name}[${i}]`))
  }

  placement(): Placement {
    const { at, turn, scale } = this.given
    return {
      ...(at !== undefined && { at: this.numbers('at', 3) }),
      ...(turn !== undefined && { turn: this.numbers('turn', 4) }),
      ...(scale !== undefined && { scale: this.number('scale') }),
    }
  }

  /** @throws RangeError naming what was not asked for */
  finish(): void {
    const left = Object.keys(this.given).find((name) => !this.#used.has(name))
    if (left === undefined) return
    throw new RangeError(
      `${this.path}: a ${this.given.shape} has no '${left}'; it takes ${[...this.#used].filter((name) => name !== 'shape').join(', ')}.`,
    )
  }

  #take(name: string): unknown {
    this.#used.add(name)
    return this.given[name]
  }

  #wrong(name: string, value: unknown, wanted: string): RangeError {
    return new RangeError(`${this.path}: ${name} of the ${this.given.shape} is ${shown(value)}; give ${wanted}.`)
  }
}

const SHAPES: Readonly<Record<string, (parts: Parts) => Shape>> = {
  sphere: (p) => sphere(p.number('radius')),
  box: (p) => box(p.numbers('half', 3), p.number('rounding', 0)),
  'box-frame': (p) => boxFrame(p.numbers('half', 3), p.number('thickness')),
  torus: (p) => torus(p.number('ring'), p.number('tube')),
  link: (p) => link(p.number('half'), p.number('ring'), p.number('tube')),
  capsule: (p) => capsule(p.numbers('from', 3), p.numbers('to', 3), p.number('radius')),
  cylinder: (p) => cylinder(p.number('radius'), p.number('half')),
  cone: (p) => cone(p.number('base'), p.number('top', 0), p.number('half')),
  'round-cone': (p) => roundCone(p.number('lower'), p.number('upper'), p.number('height')),
  ellipsoid: (p) => ellipsoid(p.numbers('radii', 3)),
  octahedron: (p) => octahedron(p.number('radius')),
  'regular-prism': (p) => regularPrism(p.number('sides'), p.number('radius'), p.number('half')),
  prism: (p) => prism(p.corners('corners'), p.number('half')),
  heart: (p) => heart(p.number('size')),
  'half-space': (p) => halfSpace(p.numbers('normal', 3), p.number('offset', 0)),
  union: (p) => union(...p.shapes('of')),
  intersection: (p) => intersection(...p.shapes('of')),
  difference: (p) => difference(p.shape('from'), ...p.shapes('taken')),
  'smooth-union': (p) => smoothUnion(p.shape('a'), p.shape('b'), p.number('width')),
  'smooth-intersection': (p) => smoothIntersection(p.shape('a'), p.shape('b'), p.number('width')),
  'smooth-difference': (p) => smoothDifference(p.shape('from'), p.shape('taken'), p.number('width')),
  rounded: (p) => rounded(p.shape('of'), p.number('radius')),
  onion: (p) => onion(p.shape('of'), p.number('thickness')),
  mirrored: (p) => mirrored(p.shape('of'), p.axis('axis')),
  repeated: (p) => repeated(p.shape('of'), p.numbers('spacing', 3), p.numbers('counts', 3)),
  twisted: (p) => twisted(p.shape('of'), p.number('rate')),
  bent: (p) => bent(p.shape('of'), p.number('rate')),
}

/** Names of all shapes that a description may name. */
export function shapeNames(): string[] {
  return Object.keys(SHAPES)
}

/**
 * A shape of its description, placed where that says.
 * @throws RangeError in one line that names what is wrong, and where it stands
 */
export function shapeOf(description: unknown): Shape {
  const asked = shapesAsked(description)
  if (asked > MOST_ASKED) {
    const many = asked < 1e6 ? asked : 'millions of'
    throw new RangeError(`shape: a distance asks ${many} shapes; make it of ${MOST_ASKED} or fewer.`)
  }
  return read(description, 'shape')
}

/** Shapes that a distance may ask: more take minutes to be made ready. */
const MOST_ASKED = 4096
/** How deep descriptions may nest: deeper ones come from a program that went wrong, or mean harm. */
const DEEPEST = 100

function read(description: unknown, path: string): Shape {
  if (path.split(/[.[]/).length > DEEPEST)
    throw new RangeError(`shape: nested deeper than ${DEEPEST}; make it flatter.`)
  if (typeof description !== 'object' || description === null || Array.isArray(description)) {
    throw new RangeError(
      `${path}: ${shown(description)} is no shape; give an object such as { "shape": "sphere", "radius": 1 }.`,
    )
  }
  const parts = new Parts(description as Record<string, unknown>, path)
  const name = parts.given.shape
  if (typeof name !== 'string' || !Object.hasOwn(SHAPES, name)) {
    throw new RangeError(`${path}: there is no shape ${shown(name)}; choose from ${shapeNames().join(', ')}.`)
  }
  const shape = SHAPES[name](parts)
  const placement = parts.placement()
  parts.finish()
  return Object.keys(placement).length > 0 ? placed(shape, placement) : shape
}
