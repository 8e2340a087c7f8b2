/**
 * Forces and stiffness of stable neo-Hookean tetrahedra, the formulas of `../neo-hookean.ts`, as a WebAssembly kernel: forces
 * in doubles, since they cancel at rest, and blocks in single precision, a row of three at a time. F itself is not needed: with B
 * the dot products of the corners' gradients, F b_n = sum of B_mn e_m over the edges e, and |F|^2 = sum of e_n . F b_n.
 */
import {
  doWhile,
  type F64,
  f32,
  f32x4,
  f64,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'

export interface StiffnessKernel {
  /**
   * Adds forces [N] (xyz doubles per node) and `scale` times the stiffness of the tetrahedra whose records are from `record` to
   * `end`, and lists the addresses of the records of those whose stiffness must be decomposed.
   * @param inertia  as in `ElasticLaw.addForcesAndStiffness`
   * @returns the end of the list
   */
  addTets(
    record: number,
    end: number,
    positions: number,
    forces: number,
    list: number,
    mu: number,
    lambda: number,
    alpha: number,
    scale: number,
    inertia: number,
  ): number
}

/** A tetrahedron. */
export const TET = record({
  /** Byte of each corner in positions and forces. */
  corners: ['u32', 4],
  /** Addresses of the corners' diagonal blocks, and of blocks 01, 02, 03, 12, 13, 23. */
  diagonals: ['u32', 4],
  blocks: ['u32', 6],
  /** [m^3] */
  volume: 'f64',
  /** 1 or -1 (`TetElements.turns`) over six volumes. */
  turn: 'f64',
  /** One over `gradientSpreads` [m^2]. */
  reach: 'f64',
  /** Square root of the volume. */
  root: 'f64',
  /** Dot products 11, 12, 13, 22, 23, 33 of the gradients [1/m^2]. */
  products: ['f64', 6],
})

/** As in neo-hookean.ts. */
const TRIM = 0.5
const TINY = 1e-12

const PARAMS = {
  record: 'i32',
  end: 'i32',
  positions: 'i32',
  forces: 'i32',
  list: 'i32',
  mu: 'f64',
  lambda: 'f64',
  alpha: 'f64',
  scale: 'f64',
  inertia: 'f64',
} as const

export function defineStiffness(module: ModuleBuilder): void {
  module.define(
    'addTets',
    { params: PARAMS, result: 'i32', isExported: true },
    ({ record, end, positions, forces, list, mu, lambda, alpha, scale, inertia }, scope) => {
      const [muRoot, lambdaRoot] = scope.some(2, 'f64')
      const code: Statement[] = []
      /** A new double with a value. */
      const double = (value: F64): Local<'f64'> => {
        const variable = scope.local('f64')
        code.push(variable.set(value))
        return variable
      }
      const field = (...field: ['volume' | 'turn' | 'reach' | 'root' | 'products', number?]): Local<'f64'> =>
        double(TET.load(record.get, ...field))
      const edges = readEdges(scope, code, record, positions)
      const [volume, turn, reach, root] = [field('volume'), field('turn'), field('reach'), field('root')]
      const [b11, b12, b13, b22, b23, b33] = [0, 1, 2, 3, 4, 5].map((n) => field('products', n))
      const gram = [
        [b11, b12, b13],
        [b12, b22, b23],
        [b13, b23, b33],
      ]
      const p = gram.map((row) => AXES.map((axis) => double(dot(row, column(edges, axis)))))
      const square = double(sum(edges.map((edge, n) => dot(edge, p[n]))))
      const g = AXES.map((n) => {
        const [u, v] = [edges[(n + 1) % 3], edges[(n + 2) % 3]]
        return AXES.map((axis) => double(f64.mul(turn.get, cross(u, v, axis))))
      })
      const jacobian = double(dot(edges[0], g[0]))
      const shrink = double(f64.div(f64.const(1), f64.add(square.get, f64.const(1))))
      const a = double(f64.mul(mu.get, f64.sub(f64.const(1), shrink.get)))
      const s = double(f64.mul(lambda.get, f64.sub(jacobian.get, alpha.get)))
      const va = double(f64.mul(volume.get, a.get))
      const vs = double(f64.mul(volume.get, s.get))
      const t = p.map((row, n) =>
        row.map((value, axis) => double(f64.add(f64.mul(va.get, value.get), f64.mul(vs.get, g[n][axis].get)))),
      )
      code.push(...addForces(scope, record, forces, t))

      // How much of s may be negative; see neo-hookean.ts. |F^T F| = |F F^T|, and F F^T = sum of F b_n e_n^T.
      const strain = PAIRS.map(([row, col]) => double(dot(column(p, row), column(edges, col))))
      const squares = strain.map(({ get }, n) =>
        f64.mul(f64.mul(get, get), f64.const(PAIRS[n][0] === PAIRS[n][1] ? 1 : 2)),
      )
      const third = double(f64.mul(square.get, f64.const(1 / 3)))
      const aside = f64.sub(sum(squares), f64.mul(square.get, third.get))
      const spreadOut = f64.sqrt(f64.mul(f64.const(2 / 3), f64.max(f64.const(0), aside)))
      const largest = double(f64.add(f64.sqrt(f64.add(third.get, spreadOut)), f64.const(TINY)))
      const inverse = double(f64.div(f64.const(1), largest.get))
      const held = double(f64.add(a.get, f64.mul(inertia.get, reach.get)))
      const bound = double(f64.mul(held.get, inverse.get))
      const smallest = double(f64.mul(jacobian.get, inverse.get))
      const volumetric = f64.mul(f64.mul(f64.const(3), lambda.get), f64.mul(smallest.get, smallest.get))
      const shrinking = f64.mul(f64.add(held.get, volumetric), f64.mul(f64.const(0.5), inverse.get))
      const most = double(
        f64.select(
          f64.min(bound.get, shrinking),
          f64.mul(f64.const(0.5), bound.get),
          i32.and(f64.gt(jacobian.get, f64.const(0)), f64.lt(s.get, f64.const(0))),
        ),
      )
      const size = double(f64.abs(s.get))
      const decomposed = f64.lt(most.get, f64.mul(f64.const(TRIM), size.get))
      const trimmed = f64.select(s.get, f64.copysign(most.get, s.get), i32.or(f64.le(size.get, most.get), decomposed))
      const turning = double(f64.mul(f64.mul(f64.mul(volume.get, turn.get), trimmed), scale.get))

      // From here on in single precision. Square roots give p p^T and g g^T their factors on both sides at once.
      const pFactor = double(f64.mul(f64.mul(shrink.get, root.get), muRoot.get))
      const gFactor = double(f64.mul(root.get, lambdaRoot.get))
      const stiffness = double(f64.mul(va.get, scale.get))
      code.push(
        ...addBlocks(scope, record, {
          p: p.map((row) => vectorOf(scope, code, row, pFactor)),
          g: g.map((row) => vectorOf(scope, code, row, gFactor)),
          edges: edges.map((edge) => vectorOf(scope, code, edge, turning)),
          products: [b11, b12, b13, b22, b23, b33].map((b) => double(f64.mul(stiffness.get, b.get))),
        }),
        when(decomposed, [i32.store(list.get, record.get), increase(list, 4)]),
        increase(record, TET.size),
      )
      return [
        muRoot.set(f64.sqrt(f64.mul(f64.const(2), f64.mul(mu.get, scale.get)))),
        lambdaRoot.set(f64.sqrt(f64.mul(lambda.get, scale.get))),
        doWhile(code, i32.ltU(record.get, end.get)),
        list.get,
      ]
    },
  )
}

const AXES = [0, 1, 2] as const
/** Entries of a symmetric 3 x 3. */
const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const

function sum(terms: readonly F64[]): F64 {
  return terms.reduce((total, term) => f64.add(total, term))
}

function dot(a: readonly Local<'f64'>[], b: readonly Local<'f64'>[]): F64 {
  return sum(a.map((value, n) => f64.mul(value.get, b[n].get)))
}

function column(rows: readonly (readonly Local<'f64'>[])[], axis: number): Local<'f64'>[] {
  return rows.map((row) => row[axis])
}

function cross(u: readonly Local<'f64'>[], v: readonly Local<'f64'>[], axis: number): F64 {
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3]
  return f64.sub(f64.mul(u[j].get, v[k].get), f64.mul(u[k].get, v[j].get))
}

/** From corner 0 to the others. */
function readEdges(scope: Scope, code: Statement[], record: Local<'i32'>, positions: Local<'i32'>): Local<'f64'>[][] {
  const address = scope.local('i32')
  const to = (corner: number): Statement => address.set(i32.add(positions.get, TET.load(record.get, 'corners', corner)))
  const origin = AXES.map(() => scope.local('f64'))
  code.push(to(0), ...origin.map((value, axis) => value.set(f64.load(address.get, 8 * axis))))
  return [1, 2, 3].map((corner) => {
    const edge = AXES.map(() => scope.local('f64'))
    code.push(
      to(corner),
      ...edge.map((value, axis) => value.set(f64.sub(f64.load(address.get, 8 * axis), origin[axis].get))),
    )
    return edge
  })
}

/** Takes t_n from corner n, and gives their sum to corner 0. */
function addForces(scope: Scope, record: Local<'i32'>, forces: Local<'i32'>, t: Local<'f64'>[][]): Statement[] {
  const address = scope.local('i32')
  return [0, 1, 2, 3].flatMap((corner) => [
    address.set(i32.add(forces.get, TET.load(record.get, 'corners', corner))),
    ...AXES.map((axis) => {
      const before = f64.load(address.get, 8 * axis)
      const after =
        corner === 0 ? f64.add(before, sum(t.map((row) => row[axis].get))) : f64.sub(before, t[corner - 1][axis].get)
      return f64.store(address.get, after, 8 * axis)
    }),
  ])
}

/** A vector of floats with a zero in its last lane. */
function vectorOf(scope: Scope, code: Statement[], xyz: readonly Local<'f64'>[], factor: Local<'f64'>): Local<'v128'> {
  const vector = scope.local('v128')
  const lanes = xyz.map((value) => f32.demote(f64.mul(value.get, factor.get)))
  code.push(vector.set(lanes.reduce((into, lane, n) => f32x4.replace(into, lane, n), f32x4.const(0))))
  return vector
}

interface BlockParts {
  /** F b_n and dJ/dx_n of corners 1, 2, 3, by the roots of their factors. */
  p: Local<'v128'>[]
  g: Local<'v128'>[]
  /** Edges to corners 1, 2, 3, by the factor of dG/dF. */
  edges: Local<'v128'>[]
  /** b_m . b_n by its factor: 11, 12, 13, 22, 23, 33. */
  products: Local<'f64'>[]
}

function addBlocks(scope: Scope, record: Local<'i32'>, { p, g, edges, products }: BlockParts): Statement[] {
  const code: Statement[] = []
  const vector = (value: V128): Local<'v128'> => {
    const variable = scope.local('v128')
    code.push(variable.set(value))
    return variable
  }
  const zero = f32x4.const(0)
  const negativeSum = ([u, v, w]: Local<'v128'>[]): V128 => f32x4.sub(f32x4.sub(f32x4.sub(zero, u.get), v.get), w.get)
  const ps = [vector(negativeSum(p)), ...p]
  const gs = [vector(negativeSum(g)), ...g]
  const [b11, b12, b13, b22, b23, b33] = products.map(({ get }) => get)
  const b01 = f64.neg(sum([b11, b12, b13]))
  const b02 = f64.neg(sum([b12, b22, b23]))
  const b03 = f64.neg(sum([b13, b23, b33]))
  const identity = [
    [sum([b11, b22, b33, b12, b12, b13, b13, b23, b23]), b01, b02, b03],
    [b01, b11, b12, b13],
    [b02, b12, b22, b23],
    [b03, b13, b23, b33],
  ]
  // d2J of corners m and n is [w]x: of 1 and 2 -[k]x, of 1 and 3 [j]x, of 2 and 3 -[i]x, the rest by sums to zero.
  const [i, j, k] = edges
  const minus = (u: Local<'v128'>, v: Local<'v128'>): V128 => f32x4.sub(u.get, v.get)
  const turning: Record<string, Local<'v128'>> = {
    '01': vector(minus(j, k)),
    '02': vector(minus(k, i)),
    '03': vector(minus(i, j)),
    '12': vector(f32x4.sub(zero, k.get)),
    '13': j,
    '23': vector(f32x4.sub(zero, i.get)),
  }
  const address = scope.local('i32')
  const own = scope.local('f32')
  let pair = 0
  for (let m = 0; m < 4; m++) {
    const [pLanes, gLanes] = [ps[m], gs[m]].map((of) => AXES.map((lane) => vector(v128.splatLane(of, lane))))
    for (let n = m; n < 4; n++) {
      code.push(address.set(m === n ? TET.load(record.get, 'diagonals', m) : TET.load(record.get, 'blocks', pair++)))
      code.push(own.set(f32.demote(identity[m][n])))
      for (const r of AXES) {
        const products = f32x4.add(f32x4.mul(pLanes[r].get, ps[n].get), f32x4.mul(gLanes[r].get, gs[n].get))
        const row = f32x4.add(products, f32x4.replace(zero, own.get, r))
        const whole = m === n ? row : f32x4.add(row, crossRow(turning[`${m}${n}`], r))
        code.push(v128.store(address.get, f32x4.add(v128.load(address.get, 16 * r), whole), 16 * r))
      }
    }
  }
  return code
}

/** Row of the matrix [w]x that takes the cross product with w: (0, -z, y), (z, 0, -x), (-y, x, 0). */
function crossRow(w: Local<'v128'>, row: number): V128 {
  const { lanes, signs } = CROSS[row]
  return f32x4.mul(v128.shuffle(w.get, w.get, lanes), f32x4.lanes(signs[0], signs[1], signs[2], signs[3]))
}

/** Lane 3 is zero. */
const CROSS = [
  { lanes: [3, 2, 1, 3], signs: [1, -1, 1, 1] },
  { lanes: [2, 3, 0, 3], signs: [1, 1, -1, 1] },
  { lanes: [1, 0, 3, 3], signs: [-1, 1, 1, 1] },
] as const
