/**
 * The sweeps of `../cloth-sweeps.ts` as WebAssembly kernels, in doubles, with the same sums in the same order: x and y of a
 * vertex are a vector, and z of two vertices another. Constraints come by colour (colouring.ts), so that none waits for
 * what the one before it has stored.
 */
import {
  type F64,
  f64,
  f64x2,
  type I32,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'

/** Addresses in bytes; `end` is where the first array or the records end. */
export interface SweepKernels {
  prepareStretch(edge: number, end: number, weights: number, dt: number): void
  prepareBend(hinge: number, end: number, weights: number, dt: number): void
  drift(
    positions: number,
    end: number,
    previous: number,
    velocities: number,
    accelerations: number,
    inverseMasses: number,
    dt: number,
    kick: number,
    keep: number,
    limit: number,
  ): void
  finish(positions: number, end: number, previous: number, velocities: number, rate: number): void
  bend(hinge: number, end: number, positions: number): void
  /**
   * Lists edges whose share of strain is beyond `limit`: the address of the record, and 1 for those longer than `torn` rests.
   * @returns the end of the list
   */
  stretch(edge: number, end: number, positions: number, list: number, limit: number, torn: number): number
  dampStretch(edge: number, end: number, weights: number, positions: number, velocities: number, share: number): void
  dampBend(hinge: number, end: number, weights: number, positions: number, velocities: number, share: number): void
}

export const EDGE = record({
  /** Byte of each end in positions. */
  ends: ['u32', 2],
  /** [m] */
  length: 'f64',
  /** Share of the error for the first end, and minus that for the second (`Stretch.shares`). */
  shares: ['f64', 2],
})

export const HINGE = record({
  /** Byte of each corner in positions. */
  corners: ['u32', 4],
  /** As in `Bend`. */
  stencils: ['f64', 4],
  shares: ['f64', 4],
  rest: 'f64',
})

/** Of an edge and of a hinge, what is not needed in every substep. */
export const EDGE_WEIGHTS = record({
  /** [1/kg] */
  inverseMasses: ['f64', 2],
  /** [m/N] */
  compliance: 'f64',
})

export const HINGE_WEIGHTS = record({ inverseMasses: ['f64', 4], compliance: 'f64' })

export function defineSweeps(module: ModuleBuilder): void {
  definePrepareStretch(module)
  definePrepareBend(module)
  defineDrift(module)
  defineFinish(module)
  defineBend(module)
  defineStretch(module)
  defineDampStretch(module)
  defineDampBend(module)
}

/** Byte of z within a vertex. */
const Z = 16
const VERTEX = 24

function definePrepareStretch(module: ModuleBuilder): void {
  const params = { edge: 'i32', end: 'i32', weights: 'i32', dt: 'f64' } as const
  module.define('prepareStretch', { params, isExported: true }, ({ edge, end, weights, dt }, scope) => {
    const [masses, scale] = scope.some(2, 'f64')
    const mass = (n: number): F64 => EDGE_WEIGHTS.load(weights.get, 'inverseMasses', n)
    const softness = f64.div(EDGE_WEIGHTS.load(weights.get, 'compliance'), f64.mul(dt.get, dt.get))
    return [
      whileLoop(i32.ltU(edge.get, end.get), [
        masses.set(f64.add(mass(0), mass(1))),
        scale.set(inverseOf(masses, softness)),
        EDGE.store(edge.get, 'shares', f64.mul(mass(0), scale.get), 0),
        EDGE.store(edge.get, 'shares', f64.neg(f64.mul(mass(1), scale.get)), 1),
        increase(edge, EDGE.size),
        increase(weights, EDGE_WEIGHTS.size),
      ]),
    ]
  })
}

function definePrepareBend(module: ModuleBuilder): void {
  const params = { hinge: 'i32', end: 'i32', weights: 'i32', dt: 'f64' } as const
  module.define('prepareBend', { params, isExported: true }, ({ hinge, end, weights, dt }, scope) => {
    const [masses, scale] = scope.some(2, 'f64')
    const mass = (n: number): F64 => HINGE_WEIGHTS.load(weights.get, 'inverseMasses', n)
    const stencil = (n: number): F64 => HINGE.load(hinge.get, 'stencils', n)
    const softness = f64.div(HINGE_WEIGHTS.load(weights.get, 'compliance'), f64.mul(dt.get, dt.get))
    const terms = CORNERS.map((n) => f64.mul(mass(n), f64.mul(stencil(n), stencil(n))))
    return [
      whileLoop(i32.ltU(hinge.get, end.get), [
        masses.set(terms.reduce((total, term) => f64.add(total, term))),
        scale.set(inverseOf(masses, softness)),
        ...CORNERS.map((n) => HINGE.store(hinge.get, 'shares', f64.mul(f64.mul(mass(n), stencil(n)), scale.get), n)),
        increase(hinge, HINGE.size),
        increase(weights, HINGE_WEIGHTS.size),
      ]),
    ]
  })
}

const CORNERS = [0, 1, 2, 3] as const

/** One over the sum; zero where nothing can move. */
function inverseOf(masses: Local<'f64'>, softness: F64): F64 {
  const inverse = f64.div(f64.const(1), f64.add(masses.get, softness))
  return f64.select(inverse, f64.const(0), f64.gt(masses.get, f64.const(0)))
}

function defineDrift(module: ModuleBuilder): void {
  const params = {
    positions: 'i32',
    end: 'i32',
    previous: 'i32',
    velocities: 'i32',
    accelerations: 'i32',
    inverseMasses: 'i32',
    dt: 'f64',
    kick: 'f64',
    keep: 'f64',
    limit: 'f64',
  } as const
  module.define('drift', { params, isExported: true }, (given, scope) => {
    const { positions, end, previous, velocities, accelerations, inverseMasses, dt, kick, keep, limit } = given
    const [keeps, kicks, xy, way] = scope.some(4, 'v128')
    const [z, wayZ, squared, scale, most] = scope.some(5, 'f64')
    const kept = (vector: V128, acceleration: V128): V128 =>
      f64x2.add(f64x2.mul(keeps.get, vector), f64x2.mul(kicks.get, acceleration))
    const keptZ = f64.add(
      f64.mul(keep.get, f64.load(velocities.get, Z)),
      f64.mul(kick.get, f64.load(accelerations.get, Z)),
    )
    const limited = f64.div(f64.mul(dt.get, limit.get), f64.sqrt(squared.get))
    return [
      keeps.set(f64x2.splat(keep.get)),
      kicks.set(f64x2.splat(kick.get)),
      most.set(f64.mul(limit.get, limit.get)),
      whileLoop(i32.ltU(positions.get, end.get), [
        xy.set(v128.load(positions.get)),
        z.set(f64.load(positions.get, Z)),
        v128.store(previous.get, xy.get),
        f64.store(previous.get, z.get, Z),
        when(f64.gt(f64.load(inverseMasses.get), f64.const(0)), [
          way.set(kept(v128.load(velocities.get), v128.load(accelerations.get))),
          wayZ.set(keptZ),
          squared.set(dot(way, way, wayZ, wayZ)),
          // What is not a number is not above zero either, and stops.
          scale.set(f64.select(dt.get, limited, f64.le(squared.get, most.get))),
          when(f64.gt(scale.get, f64.const(0)), [
            v128.store(positions.get, f64x2.add(xy.get, f64x2.mul(f64x2.splat(scale.get), way.get))),
            f64.store(positions.get, f64.add(z.get, f64.mul(scale.get, wayZ.get)), Z),
          ]),
        ]),
        ...[positions, previous, velocities, accelerations].map((address) => increase(address, VERTEX)),
        increase(inverseMasses, 8),
      ]),
    ]
  })
}

/** Two numbers at a time, wherever vertices begin: arrays end with a line that is theirs. */
function defineFinish(module: ModuleBuilder): void {
  const params = { positions: 'i32', end: 'i32', previous: 'i32', velocities: 'i32', rate: 'f64' } as const
  module.define('finish', { params, isExported: true }, ({ positions, end, previous, velocities, rate }, scope) => {
    const rates = scope.local('v128')
    const way = f64x2.sub(v128.load(positions.get), v128.load(previous.get))
    return [
      rates.set(f64x2.splat(rate.get)),
      whileLoop(i32.ltU(positions.get, end.get), [
        v128.store(velocities.get, f64x2.mul(way, rates.get)),
        ...[positions, previous, velocities].map((address) => increase(address, 16)),
      ]),
    ]
  })
}

function defineBend(module: ModuleBuilder): void {
  const params = { hinge: 'i32', end: 'i32', positions: 'i32' } as const
  module.define('bend', { params, isExported: true }, ({ hinge, end, positions }, scope) => {
    const corners = scope.some(4, 'i32')
    const xy = scope.some(4, 'v128')
    const z = scope.some(2, 'v128')
    const [curl] = scope.some(1, 'v128')
    const [curlZ, rest, length, error] = scope.some(4, 'f64')
    const stencil = (n: number): V128 => f64x2.loadSplat(hinge.get, HINGE.at.stencils + 8 * n)
    const share = (n: number): V128 => f64x2.loadSplat(hinge.get, HINGE.at.shares + 8 * n)
    const partsZ = z.map((pair, n) => f64x2.mul(v128.load(hinge.get, HINGE.at.stencils + 16 * n), pair.get))
    const products = scope.some(2, 'v128')
    return [
      whileLoop(i32.ltU(hinge.get, end.get), [
        ...corners.map((corner, n) => corner.set(i32.add(positions.get, HINGE.load(hinge.get, 'corners', n)))),
        ...xy.map((vertex, n) => vertex.set(v128.load(corners[n].get))),
        ...z.map((pair, n) => pair.set(loadZs(corners[2 * n].get, corners[2 * n + 1].get))),
        curl.set(sum(xy.map((vertex, n) => f64x2.mul(stencil(n), vertex.get)))),
        ...products.map((product, n) => product.set(partsZ[n])),
        curlZ.set(sumOfPairs(products)),
        rest.set(HINGE.load(hinge.get, 'rest')),
        length.set(f64.const(1)),
        when(f64.gt(rest.get, f64.const(0)), [
          length.set(f64.sqrt(dot(curl, curl, curlZ, curlZ))),
          error.set(f64.sub(f64.const(1), f64.div(rest.get, length.get))),
          curl.set(f64x2.mul(curl.get, f64x2.splat(error.get))),
          curlZ.set(f64.mul(curlZ.get, error.get)),
        ]),
        // Flattened out: no direction to bend back to.
        when(
          f64.le(length.get, f64.const(0)),
          [],
          [
            ...xy.map((vertex, n) => v128.store(corners[n].get, f64x2.sub(vertex.get, f64x2.mul(share(n), curl.get)))),
            ...z.flatMap((pair, n) => {
              const shares = v128.load(hinge.get, HINGE.at.shares + 16 * n)
              return [
                pair.set(f64x2.sub(pair.get, f64x2.mul(shares, f64x2.splat(curlZ.get)))),
                ...storeZs(pair, corners[2 * n].get, corners[2 * n + 1].get),
              ]
            }),
          ],
        ),
        increase(hinge, HINGE.size),
      ]),
    ]
  })
}

function defineStretch(module: ModuleBuilder): void {
  const params = { edge: 'i32', end: 'i32', positions: 'i32', list: 'i32', limit: 'f64', torn: 'f64' } as const
  module.define(
    'stretch',
    { params, result: 'i32', isExported: true },
    ({ edge, end, positions, list, limit, torn }, scope) => {
      const [a, b] = scope.some(2, 'i32')
      const [first, second, zs, way, shares] = scope.some(5, 'v128')
      const [wayZ, length, rest, error] = scope.some(4, 'f64')
      return [
        whileLoop(i32.ltU(edge.get, end.get), [
          ...[a, b].map((corner, n) => corner.set(i32.add(positions.get, EDGE.load(edge.get, 'ends', n)))),
          first.set(v128.load(a.get)),
          second.set(v128.load(b.get)),
          zs.set(loadZs(a.get, b.get)),
          way.set(f64x2.sub(second.get, first.get)),
          wayZ.set(f64.sub(f64x2.extract(zs.get, 1), f64x2.extract(zs.get, 0))),
          length.set(f64.sqrt(dot(way, way, wayZ, wayZ))),
          // Ends at one place have no direction; the next substep will have moved them apart.
          when(
            f64.le(length.get, f64.const(0)),
            [],
            [
              rest.set(EDGE.load(edge.get, 'length')),
              error.set(f64.div(f64.sub(length.get, rest.get), length.get)),
              when(f64.gt(error.get, limit.get), [
                i32.store(list.get, edge.get),
                i32.store(list.get, f64.gt(length.get, f64.mul(torn.get, rest.get)), 4),
                increase(list, 8),
              ]),
              shares.set(f64x2.mul(v128.load(edge.get, EDGE.at.shares), f64x2.splat(error.get))),
              v128.store(a.get, f64x2.add(first.get, f64x2.mul(bothOf(shares, 0), way.get))),
              v128.store(b.get, f64x2.add(second.get, f64x2.mul(bothOf(shares, 1), way.get))),
              zs.set(f64x2.add(zs.get, f64x2.mul(shares.get, f64x2.splat(wayZ.get)))),
              ...storeZs(zs, a.get, b.get),
            ],
          ),
          increase(edge, EDGE.size),
        ]),
        list.get,
      ]
    },
  )
}

const DAMP_PARAMS = { end: 'i32', weights: 'i32', positions: 'i32', velocities: 'i32', share: 'f64' } as const

function defineDampStretch(module: ModuleBuilder): void {
  module.define(
    'dampStretch',
    { params: { edge: 'i32', ...DAMP_PARAMS }, isExported: true },
    ({ edge, end, weights, positions, velocities, share }, scope) => {
      const [a, b] = scope.some(2, 'i32')
      const [way, zs, first, second, speeds, impulses] = scope.some(6, 'v128')
      const [wayZ, weight, rate] = scope.some(3, 'f64')
      const at = (base: Local<'i32'>): Statement[] =>
        [a, b].map((corner, n) => corner.set(i32.add(base.get, EDGE.load(edge.get, 'ends', n))))
      const difference = scope.local('v128')
      const differenceZ = scope.local('f64')
      const own = (n: 0 | 1): F64 => f64.load(weights.get, 8 * n)
      return [
        whileLoop(i32.ltU(edge.get, end.get), [
          ...at(positions),
          way.set(f64x2.sub(v128.load(b.get), v128.load(a.get))),
          wayZ.set(f64.sub(f64.load(b.get, Z), f64.load(a.get, Z))),
          weight.set(f64.mul(f64.add(own(0), own(1)), dot(way, way, wayZ, wayZ))),
          when(f64.gt(weight.get, f64.const(0)), [
            ...at(velocities),
            first.set(v128.load(a.get)),
            second.set(v128.load(b.get)),
            zs.set(loadZs(a.get, b.get)),
            difference.set(f64x2.sub(second.get, first.get)),
            differenceZ.set(f64.sub(f64x2.extract(zs.get, 1), f64x2.extract(zs.get, 0))),
            rate.set(dot(difference, way, differenceZ, wayZ)),
            speeds.set(f64x2.splat(f64.div(f64.mul(share.get, rate.get), weight.get))),
            impulses.set(f64x2.mul(v128.load(weights.get), speeds.get)),
            v128.store(a.get, f64x2.add(first.get, f64x2.mul(bothOf(impulses, 0), way.get))),
            v128.store(b.get, f64x2.sub(second.get, f64x2.mul(bothOf(impulses, 1), way.get))),
            impulses.set(f64x2.mul(impulses.get, f64x2.splat(wayZ.get))),
            f64.store(a.get, f64.add(f64x2.extract(zs.get, 0), f64x2.extract(impulses.get, 0)), Z),
            f64.store(b.get, f64.sub(f64x2.extract(zs.get, 1), f64x2.extract(impulses.get, 1)), Z),
          ]),
          increase(edge, EDGE.size),
          increase(weights, EDGE_WEIGHTS.size),
        ]),
      ]
    },
  )
}

function defineDampBend(module: ModuleBuilder): void {
  module.define(
    'dampBend',
    { params: { hinge: 'i32', ...DAMP_PARAMS }, isExported: true },
    ({ hinge, end, weights, positions, velocities, share }, scope) => {
      const corners = scope.some(4, 'i32')
      const xy = scope.some(4, 'v128')
      const z = scope.some(2, 'v128')
      const stencils = scope.some(2, 'v128')
      const [curl, rate] = scope.some(2, 'v128')
      const products = scope.some(2, 'v128')
      const changes = scope.some(2, 'v128')
      const [curlZ, rateZ, weight, impulse] = scope.some(4, 'f64')
      const stencil = (n: number): V128 => f64x2.loadSplat(hinge.get, HINGE.at.stencils + 8 * n)
      const read = (base: Local<'i32'>): Statement[] => [
        ...corners.map((corner, n) => corner.set(i32.add(base.get, HINGE.load(hinge.get, 'corners', n)))),
        ...xy.map((vertex, n) => vertex.set(v128.load(corners[n].get))),
        ...z.map((pair, n) => pair.set(loadZs(corners[2 * n].get, corners[2 * n + 1].get))),
      ]
      // Sums begin at zero, as in plain code, so that signs of zeros agree.
      const bent = (out: Local<'v128'>, outZ: Local<'f64'>): Statement[] => [
        out.set(sum([f64x2.const(0), ...xy.map((vertex, n) => f64x2.mul(stencil(n), vertex.get))])),
        ...products.map((product, n) => product.set(f64x2.mul(stencils[n].get, z[n].get))),
        outZ.set(sumOfPairs(products, f64.const(0))),
      ]
      return [
        whileLoop(i32.ltU(hinge.get, end.get), [
          ...stencils.map((pair, n) => pair.set(v128.load(hinge.get, HINGE.at.stencils + 16 * n))),
          ...read(positions),
          ...bent(curl, curlZ),
          ...products.map((product, n) =>
            product.set(f64x2.mul(f64x2.mul(stencils[n].get, stencils[n].get), v128.load(weights.get, 16 * n))),
          ),
          weight.set(f64.mul(sumOfPairs(products, f64.const(0)), dot(curl, curl, curlZ, curlZ))),
          when(f64.gt(weight.get, f64.const(1e-30)), [
            ...read(velocities),
            ...bent(rate, rateZ),
            impulse.set(f64.div(f64.mul(share.get, dot(curl, rate, curlZ, rateZ)), weight.get)),
            ...changes.map((change, n) =>
              change.set(
                f64x2.mul(f64x2.mul(v128.load(weights.get, 16 * n), stencils[n].get), f64x2.splat(impulse.get)),
              ),
            ),
            ...xy.map((vertex, n) =>
              v128.store(
                corners[n].get,
                f64x2.sub(vertex.get, f64x2.mul(bothOf(changes[n >> 1], n % 2 === 0 ? 0 : 1), curl.get)),
              ),
            ),
            ...z.flatMap((pair, n) => [
              pair.set(f64x2.sub(pair.get, f64x2.mul(changes[n].get, f64x2.splat(curlZ.get)))),
              ...storeZs(pair, corners[2 * n].get, corners[2 * n + 1].get),
            ]),
          ]),
          increase(hinge, HINGE.size),
          increase(weights, HINGE_WEIGHTS.size),
        ]),
      ]
    },
  )
}

/** z of two vertices. */
function loadZs(a: I32, b: I32): V128 {
  return f64x2.loadUpper(b, f64x2.loadSplat(a, Z), Z)
}

function storeZs(zs: Local<'v128'>, a: I32, b: I32): Statement[] {
  return [f64x2.storeLane(a, zs.get, 0, Z), f64x2.storeLane(b, zs.get, 1, Z)]
}

/** One number of a pair, in both lanes. */
function bothOf(pair: Local<'v128'>, lane: 0 | 1): V128 {
  return v128.shuffle(pair.get, pair.get, lane === 0 ? [0, 1, 0, 1] : [2, 3, 2, 3])
}

/** x x + y y + z z, in this order. */
function dot(a: Local<'v128'>, b: Local<'v128'>, az: Local<'f64'>, bz: Local<'f64'>): F64 {
  const product = (lane: 0 | 1): F64 => f64.mul(f64x2.extract(a.get, lane), f64x2.extract(b.get, lane))
  return f64.add(f64.add(product(0), product(1)), f64.mul(az.get, bz.get))
}

function sum(terms: readonly V128[]): V128 {
  return terms.reduce((total, term) => f64x2.add(total, term))
}

/** The four numbers of two pairs, one after the other. */
function sumOfPairs(pairs: readonly Local<'v128'>[], start?: F64): F64 {
  const terms = pairs.flatMap(({ get }) => [f64x2.extract(get, 0), f64x2.extract(get, 1)])
  return (start ? [start, ...terms] : terms).reduce((total, term) => f64.add(total, term))
}
