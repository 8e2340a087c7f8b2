/** One of every shape and operation, for tests that hold of all. */

import {
  difference,
  intersection,
  onion,
  rounded,
  smoothDifference,
  smoothIntersection,
  smoothUnion,
  union,
} from '../../../src/field/shapes/combine.js'
import { bent, mirrored, placed, repeated, twisted } from '../../../src/field/shapes/place.js'
import { cone, prism, regularPrism } from '../../../src/field/shapes/polygons.js'
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
} from '../../../src/field/shapes/primitives.js'
import type { Shape } from '../../../src/field/shapes/shape.js'

export interface NamedShape {
  name: string
  shape: Shape
  /** Where its numbers are distances: everywhere, outside alone, inside alone, or nowhere. */
  exact: 'everywhere' | 'outside' | 'inside' | 'nowhere'
  inside: [number, number, number]
}

const apart = placed(sphere(0.5), { at: [0.8, 0, 0] })

export const ALL_SHAPES: readonly NamedShape[] = [
  { name: 'sphere', shape: sphere(1), exact: 'everywhere', inside: [0.1, 0.2, 0] },
  { name: 'box', shape: box([0.8, 0.5, 0.6]), exact: 'everywhere', inside: [0.7, 0.4, -0.5] },
  { name: 'rounded box', shape: box([0.8, 0.5, 0.6], 0.2), exact: 'everywhere', inside: [0.7, 0, 0] },
  { name: 'box frame', shape: boxFrame([0.8, 0.6, 0.7], 0.1), exact: 'outside', inside: [0.75, 0.55, 0] },
  { name: 'torus', shape: torus(0.8, 0.3), exact: 'everywhere', inside: [0, 0.1, -0.9] },
  { name: 'link', shape: link(0.3, 0.5, 0.15), exact: 'everywhere', inside: [0.5, 0.2, 0] },
  {
    name: 'capsule',
    shape: capsule([-0.5, 0.1, 0], [0.4, 0.2, 0.3], 0.3),
    exact: 'everywhere',
    inside: [0.4, 0.2, 0.3],
  },
  { name: 'cylinder', shape: cylinder(0.6, 0.8), exact: 'everywhere', inside: [0.5, 0.7, 0] },
  { name: 'ellipsoid', shape: ellipsoid([1, 0.5, 0.3]), exact: 'nowhere', inside: [0.9, 0, 0] },
  { name: 'octahedron', shape: octahedron(1), exact: 'inside', inside: [0.3, 0.3, 0.3] },
  { name: 'half-space', shape: halfSpace([0, 1, 0.3], 0.1), exact: 'everywhere', inside: [0, 0, 0] },
  { name: 'round cone', shape: roundCone(0.6, 0.2, 1), exact: 'everywhere', inside: [0, 1.1, 0] },
  { name: 'heart', shape: heart(1), exact: 'nowhere', inside: [0, 0, 0] },
  { name: 'cone', shape: cone(0.7, 0, 0.8), exact: 'everywhere', inside: [0.6, -0.75, 0] },
  { name: 'cut cone', shape: cone(0.7, 0.3, 0.6), exact: 'everywhere', inside: [0.25, 0.55, 0] },
  { name: 'hexagonal prism', shape: regularPrism(6, 0.8, 0.3), exact: 'everywhere', inside: [0, 0.6, 0.2] },
  {
    name: 'triangular prism',
    shape: prism(
      [
        [-0.5, -0.4],
        [0.6, -0.3],
        [0, 0.7],
      ],
      0.4,
    ),
    exact: 'everywhere',
    inside: [0, 0.6, 0.3],
  },
  { name: 'union', shape: union(sphere(0.7), apart, box([0.3, 0.9, 0.3])), exact: 'outside', inside: [1.2, 0, 0] },
  {
    name: 'intersection',
    shape: intersection(sphere(0.8), box([0.6, 0.6, 0.6])),
    exact: 'inside',
    inside: [0, 0, 0.5],
  },
  {
    name: 'difference',
    shape: difference(box([0.7, 0.7, 0.7]), sphere(0.85)),
    exact: 'inside',
    inside: [0.65, 0.65, 0.65],
  },
  { name: 'smooth union', shape: smoothUnion(sphere(0.6), apart, 0.3), exact: 'nowhere', inside: [0.6, 0.1, 0] },
  {
    name: 'smooth intersection',
    shape: smoothIntersection(sphere(0.8), box([0.6, 0.6, 0.6]), 0.2),
    exact: 'nowhere',
    inside: [0, 0, 0.5],
  },
  {
    name: 'smooth difference',
    shape: smoothDifference(box([0.7, 0.7, 0.7]), sphere(0.8), 0.2),
    exact: 'nowhere',
    inside: [0.65, 0.65, 0.65],
  },
  { name: 'onion', shape: onion(sphere(0.8), 0.1), exact: 'everywhere', inside: [0.8, 0, 0] },
  { name: 'rounding', shape: rounded(box([0.4, 0.4, 0.4]), 0.3), exact: 'outside', inside: [0.6, 0, 0] },
  {
    name: 'repetition',
    shape: repeated(box([0.2, 0.1, 0.2]), [0.5, 0.6, 0.5], [3, 2, 4]),
    exact: 'everywhere',
    inside: [0.5, 0.3, 0.25],
  },
  { name: 'twist', shape: twisted(box([0.3, 1, 0.5]), 2), exact: 'nowhere', inside: [0, 0.9, 0] },
  { name: 'bend', shape: bent(box([0.9, 0.2, 0.3]), 1), exact: 'nowhere', inside: [0, 0, 0] },
  {
    name: 'placed cone',
    shape: placed(cone(0.5, 0, 0.6), { at: [0.1, 0.2, 0.3], turn: [0.3, 0.1, 0.5, 0.7], scale: 1.3 }),
    exact: 'everywhere',
    inside: [0.1, 0.2, 0.3],
  },
  {
    name: 'mirror',
    shape: mirrored(placed(sphere(0.4), { at: [0.6, 0, 0] }), 0),
    exact: 'everywhere',
    inside: [-0.6, 0, 0],
  },
]
