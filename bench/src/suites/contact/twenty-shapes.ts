/**
 * Twenty shapes that contact is judged on, about a metre across: round and sharp, convex and not, thin, hollow and bent, exact
 * distances and such that only have the sign. Plain data, as a scene's file has them.
 */
import type { ShapeDescription } from 'pliant/shapes'

const box = (half: readonly number[], more: object = {}): ShapeDescription => ({ shape: 'box', half, ...more })

export const TWENTY_SHAPES: Readonly<Record<string, ShapeDescription>> = {
  sphere: { shape: 'sphere', radius: 0.5 },
  box: box([0.4, 0.3, 0.5]),
  slab: box([0.5, 0.05, 0.4]),
  'rounded box': box([0.4, 0.3, 0.35], { rounding: 0.1 }),
  'box frame': { shape: 'box-frame', half: [0.45, 0.4, 0.4], thickness: 0.06 },
  torus: { shape: 'torus', ring: 0.38, tube: 0.13 },
  link: { shape: 'link', half: 0.2, ring: 0.25, tube: 0.09 },
  capsule: { shape: 'capsule', from: [-0.4, 0, 0], to: [0.4, 0.1, 0], radius: 0.15 },
  cylinder: { shape: 'cylinder', radius: 0.3, half: 0.45 },
  cone: { shape: 'cone', base: 0.4, half: 0.5 },
  'round cone': { shape: 'round-cone', lower: 0.35, upper: 0.1, height: 0.6 },
  ellipsoid: { shape: 'ellipsoid', radii: [0.5, 0.2, 0.35] },
  octahedron: { shape: 'octahedron', radius: 0.6 },
  nut: {
    shape: 'difference',
    from: { shape: 'regular-prism', sides: 6, radius: 0.5, half: 0.2 },
    // A prism stands along z, a cylinder along y.
    taken: [{ shape: 'cylinder', radius: 0.25, half: 0.4, turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }],
  },
  heart: { shape: 'heart', size: 1 },
  bowl: {
    shape: 'difference',
    from: { shape: 'onion', of: { shape: 'sphere', radius: 0.45 }, thickness: 0.05 },
    taken: [box([0.6, 0.3, 0.6], { at: [0, 0.4, 0] })],
  },
  mug: {
    shape: 'union',
    of: [
      {
        shape: 'difference',
        from: { shape: 'cylinder', radius: 0.32, half: 0.4 },
        taken: [{ shape: 'cylinder', radius: 0.26, half: 0.4, at: [0, 0.08, 0] }],
      },
      { shape: 'torus', ring: 0.2, tube: 0.05, at: [0.42, 0, 0], turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
    ],
  },
  dumbbell: {
    shape: 'smooth-union',
    a: {
      shape: 'union',
      of: [
        { shape: 'sphere', radius: 0.25, at: [-0.4, 0, 0] },
        { shape: 'sphere', radius: 0.25, at: [0.4, 0, 0] },
      ],
    },
    b: { shape: 'capsule', from: [-0.4, 0, 0], to: [0.4, 0, 0], radius: 0.08 },
    width: 0.1,
  },
  corner: {
    shape: 'union',
    of: [
      box([0.5, 0.15, 0.15]),
      box([0.15, 0.5, 0.15], { at: [-0.35, 0.35, 0] }),
      box([0.15, 0.15, 0.4], { at: [0.35, 0, 0.25] }),
    ],
  },
  screw: { shape: 'twisted', of: box([0.2, 0.5, 0.3]), rate: 1.5 },
}
