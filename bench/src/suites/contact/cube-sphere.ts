/**
 * A ball and a cube (the paper's Figs. 9 and 10a), whose deepest points have closed forms: the cube's point that is deepest in
 * the ball is the nearest to its middle, and the ball's point that is deepest in the cube solves one equation.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { solidOf } from 'pliant/detect'
import { box, fieldOf, sphere } from 'pliant/shapes'
import { METHODS } from './methods.js'
import { turnedAnyWay } from './poses.js'

export interface CubeSphereRow {
  method: string
  /** Configurations of which it found no contact on the cube, or on the ball. */
  missed: number
  /** Of the cube's deepest point in the ball, and of the ball's in the cube [m]: mean, largest. */
  cubePlace: { mean: number; largest: number }
  ballPlace: { mean: number; largest: number }
  /** Depths of both [m]. */
  depth: { mean: number; largest: number }
  /** Angle to the exact normal where it is unique [degrees]: of the cube's point everywhere, of the ball's on faces. */
  normal: { mean: number; largest: number }
  /** Configurations with both places within 1e-5. */
  within: number
}

export interface CubeSphereResult {
  configurations: number
  /** Half a side of the cube, and the ball's radius [m]. */
  half: number
  radius: number
  rows: CubeSphereRow[]
}

const HALF = 0.5
const RADIUS = 0.6
/** Ball depths: from grazing to three quarters of its radius. */
const DEEPEST = 0.45

/** @param each  told how far both places of a configuration are off [m] */
export async function judgeCubeSphere(
  { seed, configurations }: { seed: number; configurations: number },
  told: (done: number) => Promise<void>,
  each?: (method: string, index: number, off: { cube: number; ball: number }) => void,
): Promise<CubeSphereResult> {
  const fields = [fieldOf(box([HALF, HALF, HALF])), fieldOf(sphere(RADIUS))]
  const [cube, ball] = fields.map((field) => solidOf(field, field.box))
  const pairs = METHODS.map(({ pairOf }) => pairOf(cube, ball))
  const errors = METHODS.map(() => ({
    missed: 0,
    cube: [] as number[],
    ball: [] as number[],
    depth: [] as number[],
    normal: [] as number[],
    within: 0,
  }))
  for (let index = 0; index < configurations; index++) {
    if (index % 100 === 0) await told(index)
    const random = streamOf('contactPoses', seed, 900_000 + index)
    const [poseCube, poseBall] = [turnedAnyWay(random), turnedAnyWay(random)]
    const centre = touchingCentre(random)
    for (let k = 0; k < 3; k++) {
      poseBall[12 + k] = [0, 1, 2].reduce((sum, axis) => sum + poseCube[4 * axis + k] * centre[axis], 0)
    }
    const exact = exactContact(centre)
    pairs.forEach((pair, method) => {
      const contacts = pair.update(poseCube, poseBall)
      const error = errors[method]
      // The nearest of all contacts to each exact answer, in the cube's frame.
      const local = (values: Float64Array, i: number): number[] =>
        [0, 1, 2].map((axis) => [0, 1, 2].reduce((sum, k) => sum + poseCube[4 * axis + k] * values[3 * i + k], 0))
      let [cubeWay, ballWay, ofCube, ofBall] = [Infinity, Infinity, -1, -1]
      for (let i = 0; i < contacts.count; i++) {
        const [pointA, pointB] = [local(contacts.pointsA, i), local(contacts.pointsB, i)]
        const [wayA, wayB] = [between(pointA, exact.cubePoint), between(pointB, exact.ballPoint)]
        if (wayA < cubeWay) [cubeWay, ofCube] = [wayA, i]
        if (wayB < ballWay) [ballWay, ofBall] = [wayB, i]
      }
      if (ofCube < 0 || ofBall < 0) {
        error.missed++
        return
      }
      each?.(METHODS[method].name, index, { cube: cubeWay, ball: ballWay })
      error.cube.push(cubeWay)
      error.ball.push(ballWay)
      error.depth.push(Math.abs(contacts.separations[ofCube] - exact.cubeDepth))
      error.depth.push(Math.abs(contacts.separations[ofBall] - exact.ballDepth))
      error.normal.push(angle(local(contacts.normals, ofCube), exact.cubeNormal))
      if (exact.faceNormal) error.normal.push(angle(local(contacts.normals, ofBall), exact.faceNormal))
      if (cubeWay < 1e-5 && ballWay < 1e-5) error.within++
    })
  }
  const rows = errors.map((error, i) => ({
    ...{ method: METHODS[i].name, missed: error.missed, within: error.within },
    ...{ cubePlace: spreadOf(error.cube), ballPlace: spreadOf(error.ball) },
    ...{ depth: spreadOf(error.depth), normal: spreadOf(error.normal) },
  }))
  return { configurations, half: HALF, radius: RADIUS, rows }
}

/** A ball's centre beside the cube, in the cube's frame, that makes it as deep as is drawn. */
function touchingCentre(random: { normal(): number; between(lower: number, upper: number): number }): number[] {
  const depth = random.between(0.001, DEEPEST)
  const way = [random.normal(), random.normal(), random.normal()]
  const size = Math.hypot(...way)
  // The way out along a line at which the distance to the cube is what is wanted: it grows all along, so halving finds it.
  let [low, high] = [0, 4]
  const at = (t: number): number[] => way.map((value) => (t * value) / size)
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (cubeDistance(at(middle)) < RADIUS - depth) low = middle
    else high = middle
  }
  return at(low)
}

function cubeDistance(point: readonly number[]): number {
  return Math.hypot(...point.map((value) => Math.max(0, Math.abs(value) - HALF)))
}

/** In the cube's frame; the ball's centre is outside of the cube. */
function exactContact(centre: readonly number[]) {
  const cubePoint = centre.map((value) => Math.min(HALF, Math.max(-HALF, value)))
  const way = between(cubePoint, centre)
  // The ball's least distance to the cube's planes, v: sum max(0, s_i - v)^2 = R^2, s_i the centre's distances to them.
  const s = centre.map((value) => Math.abs(value) - HALF)
  const v = leastOfPlanes(s)
  const ballPoint = centre.map((value, i) => value - Math.sign(value) * Math.max(0, s[i] - v))
  const ahead = s.filter((value) => value > v)
  return {
    ...{ cubePoint, ballPoint, cubeDepth: way - RADIUS, ballDepth: v },
    cubeNormal: centre.map((value, k) => (value - cubePoint[k]) / way),
    // On a face of the cube one normal is right; where planes meet, any between theirs.
    faceNormal: ahead.length === 1 ? centre.map((value, i) => (s[i] > v ? Math.sign(value) : 0)) : undefined,
  }
}

function leastOfPlanes(s: readonly number[]): number {
  const sorted = [...s].sort((a, b) => b - a)
  for (let count = 1; ; count++) {
    const active = sorted.slice(0, count)
    const mean = active.reduce((sum, value) => sum + value / count, 0)
    const spread = active.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    const v = mean - Math.sqrt(Math.max(0, RADIUS ** 2 - spread) / count)
    if (count === 3 || sorted[count] <= v) return v
  }
}

function between(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, k) => value - b[k]))
}

function angle(a: readonly number[], b: readonly number[]): number {
  const half = Math.min(1, between(a, b) / 2)
  return (2 * Math.asin(half) * 180) / Math.PI
}

function spreadOf(values: readonly number[]): { mean: number; largest: number } {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    largest: values.reduce((most, value) => Math.max(most, value), 0),
  }
}
