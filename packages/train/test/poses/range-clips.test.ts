import { type Clip, Skeleton, sampleClip } from 'pliant/character'
import { frameTimes, jointVector } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { jointRanges, type RangeFile } from '../../src/poses/joint-ranges.js'
import { RANGE_CLIP_DEFAULTS, rangeClips } from '../../src/poses/range-clips.js'

type Row = [name: string, parent: string, place: number[]]

function skeletonOf(rows: Row[]): Skeleton {
  const names = rows.map(([name]) => name)
  const parents = Int32Array.from(rows, ([, parent]) => names.indexOf(parent))
  const rotations = new Float64Array(4 * rows.length)
  for (let i = 0; i < rows.length; i++) rotations[4 * i + 3] = 1
  const translations = Float64Array.from(
    rows.flatMap(([, , place], i) => place.map((value, k) => value - (parents[i] < 0 ? 0 : rows[parents[i]][2][k]))),
  )
  const rest = { translations, rotations, scales: new Float64Array(3 * rows.length).fill(1) }
  return new Skeleton({ names, parents, root: 0, rest })
}

/** A person in T-pose, facing +Z, the left at +X. */
const person = skeletonOf([
  ['Hips', '', [0, 1, 0]],
  ['Spine', 'Hips', [0, 1.1, 0]],
  ['Chest', 'Spine', [0, 1.3, 0]],
  ['Head', 'Chest', [0, 1.6, 0]],
  ...[1, -1].flatMap((x): Row[] => {
    const side = x > 0 ? 'Left' : 'Right'
    return [
      [`${side}UpperArm`, 'Chest', [0.2 * x, 1.4, 0]],
      [`${side}LowerArm`, `${side}UpperArm`, [0.5 * x, 1.4, 0]],
      [`${side}Hand`, `${side}LowerArm`, [0.75 * x, 1.4, 0]],
      [`${side}UpperLeg`, 'Hips', [0.1 * x, 0.95, 0]],
      [`${side}LowerLeg`, `${side}UpperLeg`, [0.1 * x, 0.5, 0]],
      [`${side}Foot`, `${side}LowerLeg`, [0.1 * x, 0.1, 0]],
      [`${side}Toes`, `${side}Foot`, [0.1 * x, 0.02, 0.15]],
    ]
  }),
  ['Tail', 'Hips', [0, 1, -0.2]],
])

const FINGERS = ['index', 'middle', 'ring', 'pinky']
/** Left hand, palm down (-y), fingers along +x and a little bent; every joint hangs from one, as in WebXR. */
const flatHand = skeletonOf([
  ['Armature', '', [0, 0, 0]],
  ['wrist', 'Armature', [0, 0, 0]],
  ...FINGERS.flatMap((finger, i): Row[] =>
    [
      [0.03, 0, 'metacarpal'],
      [0.09, 0, 'phalanx-proximal'],
      [0.13, -0.002, 'phalanx-intermediate'],
      [0.155, -0.006, 'phalanx-distal'],
      [0.175, -0.012, 'tip'],
    ].map(([x, y, name]) => [`${finger}-finger-${name}`, 'Armature', [Number(x), Number(y), 0.02 - 0.02 * i]]),
  ),
])

const ALL = (skeleton: Skeleton) => new Float64Array(skeleton.jointCount).fill(1)
const clipsOf = (skeleton: Skeleton, file: RangeFile = {}, seed = 1) =>
  rangeClips(skeleton, jointRanges(skeleton, ALL(skeleton), file), { seed })

/** Calls back with every frame's joint places in the root frame, and the pose. */
function eachFrame(
  skeleton: Skeleton,
  clips: readonly Clip[],
  look: (place: (name: string) => number[], vector: (name: string) => number[]) => void,
): void {
  const pose = skeleton.createPose()
  const matrices = new Float64Array(16 * skeleton.jointCount)
  for (const clip of clips) {
    for (const time of frameTimes(clip, 10)) {
      sampleClip(skeleton, clip, time, pose)
      skeleton.matrices(pose, matrices)
      look(
        (name) => [...matrices.subarray(16 * skeleton.jointNamed(name) + 12, 16 * skeleton.jointNamed(name) + 15)],
        (name) => {
          const out = new Float64Array(3)
          jointVector(skeleton, pose, skeleton.jointNamed(name), out, 0)
          return [...out]
        },
      )
    }
  }
}

const minus = (a: number[], b: number[]) => a.map((value, k) => value - b[k])
const length = (a: number[]) => Math.hypot(...a)
const degrees = (a: number[]) => (length(a) * 180) / Math.PI

describe('random motion within joint ranges', () => {
  it('bends knees and elbows the way that people do, and never the other', () => {
    const furthest = { knee: 0, elbow: 0 }
    eachFrame(person, clipsOf(person).train, (_, vector) => {
      for (const side of ['Left', 'Right']) {
        const [knee, elbow] = [vector(`${side}LowerLeg`), vector(`${side}LowerArm`)]
        // Backward about +x; an elbow of an arm held out to the left turns about -y, to the right about +y.
        expect(knee[0]).toBeGreaterThan(-1e-6)
        expect(Math.abs(knee[2])).toBeLessThan(0.1)
        const bend = side === 'Left' ? -elbow[1] : elbow[1]
        expect(bend).toBeGreaterThan(-1e-6)
        furthest.knee = Math.max(furthest.knee, (knee[0] * 180) / Math.PI)
        furthest.elbow = Math.max(furthest.elbow, (bend * 180) / Math.PI)
      }
      expect(degrees(vector('Tail'))).toBeLessThan(Math.hypot(15, 15, 7.5) + 0.1)
    })
    expect(furthest.knee).toBeGreaterThan(80)
    expect(furthest.knee).toBeLessThan(126)
    expect(furthest.elbow).toBeGreaterThan(80)
  })

  it('raises arms and swings legs outward on both sides alike', () => {
    const reach = { Left: [0, 0], Right: [0, 0] }
    eachFrame(person, clipsOf(person, {}, 3).train, (place) => {
      for (const [side, x] of [
        ['Left', 1],
        ['Right', -1],
      ] as const) {
        const arm = minus(place(`${side}LowerArm`), place(`${side}UpperArm`))
        const leg = minus(place(`${side}LowerLeg`), place(`${side}UpperLeg`))
        reach[side][0] = Math.min(reach[side][0], arm[1] / length(arm))
        reach[side][1] = Math.max(reach[side][1], (x * leg[0]) / length(leg))
      }
    })
    for (const [hanging, outward] of Object.values(reach)) {
      expect(hanging).toBeLessThan(-0.7)
      expect(outward).toBeGreaterThan(0.3)
    }
  })

  it('closes a hand whose joints all hang from one, every bone as long as it was', () => {
    const lengths = (place: (name: string) => number[], finger: string) =>
      ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip']
        .map((name) => place(`${finger}-finger-${name}`))
        .map((at, i, all) => (i === 0 ? length(minus(at, place('wrist'))) : length(minus(at, all[i - 1]))))
    const rest = (name: string) => {
      const at = 16 * flatHand.jointNamed(name) + 12
      return [...flatHand.restMatrices.subarray(at, at + 3)]
    }
    let lowest = 0
    eachFrame(flatHand, clipsOf(flatHand, { wrist: 0 }).train, (place, vector) => {
      for (const finger of FINGERS) {
        lengths(place, finger).forEach((value, i) => {
          // Straight between keys, which are 0.075 s apart.
          expect(value).toBeCloseTo(lengths(rest, finger)[i], 3)
        })
        lowest = Math.min(lowest, place(`${finger}-finger-tip`)[1])
        // The network's rotation vectors jump at half a turn.
        expect(degrees(vector(`${finger}-finger-phalanx-distal`))).toBeLessThan(179)
      }
    })
    // Towards the palm, below the hand.
    expect(lowest).toBeLessThan(-0.05)
  })

  it('is smooth: no joint turns by more than 25 degrees in a tenth of a second', () => {
    let before: number[] | undefined
    let largest = 0
    for (const clip of clipsOf(person).train) {
      before = undefined
      eachFrame(person, [clip], (_, vector) => {
        const now = vector('LeftLowerLeg')
        if (before) largest = Math.max(largest, degrees(minus(now, before)))
        before = now
      })
    }
    expect(largest).toBeGreaterThan(3)
    expect(largest).toBeLessThan(35)
  })

  it('is the same for a seed, another for another, and of other clips to judge by', () => {
    const [a, again, other] = [clipsOf(person), clipsOf(person), clipsOf(person, {}, 2)]
    expect(a).toEqual(again)
    expect([a.train.length, a.heldOut.length]).toEqual([RANGE_CLIP_DEFAULTS.train, RANGE_CLIP_DEFAULTS.heldOut])
    const all = [...a.train, ...a.heldOut, ...other.train].map(({ tracks }) => tracks[4].values.join())
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('ranges of a file', () => {
  const rangeOf = (name: string, file: RangeFile) =>
    jointRanges(person, ALL(person), file)[person.jointNamed(name)]?.range

  it('come before what a joint is, by name or for all others', () => {
    const file = { Tail: 40, LeftHand: { flex: [-5, 20] as const, twist: 3 } }
    expect(rangeOf('Tail', file)).toEqual({ flex: [-40, 40], side: [-40, 40], twist: [-20, 20] })
    expect(rangeOf('LeftHand', file)).toEqual({ flex: [-5, 20], side: [0, 0], twist: [-3, 3] })
    expect(rangeOf('RightLowerLeg', file)?.flex).toEqual([0, 125])
    expect(rangeOf('RightLowerLeg', { '*': 5 })?.flex).toEqual([-5, 5])
    eachFrame(person, clipsOf(person, { '*': 0, LeftHand: { twist: 10 } }).train, (_, vector) => {
      expect(degrees(vector('LeftLowerLeg'))).toBeLessThan(1e-3)
      expect(degrees(vector('LeftHand'))).toBeLessThan(10.01)
    })
  })

  it('leave out joints that move no vertex', () => {
    const weights = ALL(person)
    weights[person.jointNamed('Tail')] = 0
    expect(jointRanges(person, weights)[person.jointNamed('Tail')]).toBeUndefined()
    expect(jointRanges(person, weights)[person.jointNamed('Hips')]).toBeUndefined()
  })

  it('are refused in one line that names what is wrong', () => {
    const bad = (file: unknown) => () => jointRanges(person, ALL(person), file as RangeFile)
    expect(bad({ Nose: 5 })).toThrow("ranges: there is no joint 'Nose'; choose from Hips, Spine")
    expect(bad({ Tail: 'far' })).toThrow('ranges: \'Tail\' is "far"; give degrees')
    expect(bad({ Tail: { flex: [20, 5] } })).toThrow("ranges: 'Tail' has [20,5]; give degrees, or [from, to]")
    expect(bad({ Tail: 500 })).toThrow("ranges: 'Tail' has 500")
    expect(bad({ Tail: { bend: 5 } })).toThrow("ranges: 'Tail' has 'bend'; give flex, side or twist")
    expect(bad({ Tail: { flex: [Number.NaN, 5] } })).toThrow("ranges: 'Tail' has [null,5]")
  })
})
