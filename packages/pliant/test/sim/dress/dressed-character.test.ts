import { describe, expect, it } from 'vitest'
import { invertAffine } from '../../../src/math/mat4.js'
import { clothEnergy } from '../../../src/sim/cloth/energy.js'
import { ClipPlayer } from '../../../src/sim/dress/clip-player.js'
import { DressedCharacter, type DressOptions } from '../../../src/sim/dress/dressed-character.js'
import { fitGarment, type GarmentKind } from '../../../src/sim/dress/fit-garment.js'
import { transformPoint } from '../../../src/sim/dress/skin-anchors.js'
import { allFinite, FRAME, mean } from '../cloth/sheets.js'
import { puppet, swing } from './puppet.js'

const WALK = {
  LeftUpLeg: [0, 0.6],
  RightUpLeg: [0, -0.6],
  LeftLeg: [0, 0.3],
  RightLeg: [0, 0.3],
} as const
/** Sixty degrees both ways, about two axes: an elbow of capsules has a sharp outside. */
const BEND = { LeftForeArm: [2, 1.05], LeftArm: [2, 0.4], RightForeArm: [1, 1.05] } as const

function dress(kind: GarmentKind, options: DressOptions = {}) {
  const body = puppet()
  const garment = fitGarment(body.character, body.capsules, kind)
  const dressed = new DressedCharacter(body.character, body.bones, garment, body.capsules, options)
  return { ...body, garment, dressed, player: new ClipPlayer(body.skeleton) }
}

/** Least distance of the cloth's vertices from the body as it now is [m]. */
function leastDistance({ dressed, capsules }: ReturnType<typeof dress>): number {
  const { cloth, obstacle } = dressed
  const toRoot = new Float64Array(16)
  invertAffine(obstacle.rootFrame, 0, toRoot, 0)
  const points = cloth.positions.slice()
  for (let i = 0; i < points.length; i += 3) transformPoint(toRoot, 0, points, i, points, i)
  const distances = new Float64Array(cloth.vertexCount)
  capsules.query(points, cloth.vertexCount, distances)
  return distances.reduce((a, b) => Math.min(a, b))
}

function play(scene: ReturnType<typeof dress>, frames: number, each?: (frame: number) => void): void {
  for (let frame = 0; frame < frames; frame++) {
    scene.player.advance(FRAME)
    scene.dressed.step(FRAME, scene.player.pose, scene.player.rootFrame)
    each?.(frame)
  }
}

describe('a dressed puppet', () => {
  it('walks two seconds with the skirt outside its legs and energy within what it was given', () => {
    const scene = dress('skirt')
    scene.player.play(swing(scene.skeleton, WALK, 1))
    const { cloth } = scene.dressed
    const mass = cloth.masses.reduce((a, b) => a + b)
    let worst = Infinity
    let most = 0
    play(scene, 120, () => {
      worst = Math.min(worst, leastDistance(scene))
      const { kinetic, stretch, bend } = clothEnergy(cloth)
      most = Math.max(most, kinetic + stretch + bend)
    })
    // A hundredth of the height is deep.
    expect(worst).toBeGreaterThan(-0.01 * scene.character.height)
    // Thrown at the 3 m/s of a knee, fallen from the skirt's length above the waist to as much below.
    expect(most).toBeLessThan((mass * (3 + Math.sqrt(4 * 9.81 * 0.55)) ** 2) / 2)
    // It went along: two clips of a metre each, the second on from the first.
    expect(scene.player.rootFrame[14]).toBeGreaterThan(1.8)
    expect(Math.abs(mean(cloth, 2) - scene.player.rootFrame[14])).toBeLessThan(0.4)
  })

  it('keeps its sleeves on bending arms, attachments where the skin is', () => {
    const scene = dress('sleeves')
    scene.player.play(swing(scene.skeleton, BEND))
    let worst = Infinity
    let loosest = 0
    play(scene, 120, () => {
      worst = Math.min(worst, leastDistance(scene))
      loosest = Math.max(loosest, attachmentError(scene))
    })
    expect(worst).toBeGreaterThan(-0.01 * scene.character.height)
    expect(loosest).toBeLessThan(1e-9)
    // Still round the arms: each vertex within a hand's breadth of a bone.
    const { cloth, obstacle } = scene.dressed
    const distances = new Float64Array(cloth.vertexCount)
    obstacle.field.query(cloth.positions, cloth.vertexCount, distances)
    expect(Math.max(...distances)).toBeLessThan(0.1)
  })

  it('does the same again, bit for bit', () => {
    const [a, b] = [0, 1].map(() => {
      const scene = dress('skirt')
      scene.player.play(swing(scene.skeleton, WALK, 1))
      play(scene, 30)
      return scene.dressed.cloth.positions
    })
    expect(a).toEqual(b)
  })

  it('is blown downwind, and passes through a body that is taken away', () => {
    const [still, blown] = [0, 8].map((wind) => {
      const scene = dress('skirt')
      scene.dressed.cloth.wind = [0, 0, wind]
      play(scene, 60)
      return mean(scene.dressed.cloth, 2)
    })
    expect(blown).toBeGreaterThan(still + 0.03)
    const scene = dress('skirt')
    scene.dressed.obstacle.body = undefined
    scene.player.play(swing(scene.skeleton, WALK))
    let worst = Infinity
    play(scene, 60, () => {
      worst = Math.min(worst, leastDistance(scene))
    })
    expect(worst).toBeLessThan(-0.01 * scene.character.height)
  })

  it('is carried along where the root jumps, and stays finite at four times the speed', () => {
    const scene = dress('skirt')
    scene.player.play(swing(scene.skeleton, WALK, 1))
    scene.player.speed = 4
    play(scene, 60)
    const before = mean(scene.dressed.cloth, 0)
    const away = scene.player.rootFrame.slice()
    away[12] += 100
    scene.dressed.step(FRAME, scene.player.pose, away)
    expect(mean(scene.dressed.cloth, 0) - before).toBeCloseTo(100, 1)
    expect(leastDistance(scene)).toBeGreaterThan(-0.01 * scene.character.height)
    expect(allFinite(scene.dressed.cloth.positions)).toBe(true)
  })

  it('is half as large in units of half a metre', () => {
    const scene = dress('skirt')
    const scaled = new DressedCharacter(scene.character, scene.bones, scene.garment, scene.capsules, { unit: 0.5 })
    play(scene, 1)
    scaled.step(FRAME, scene.player.pose, scene.player.rootFrame)
    const ratio = mean(scaled.cloth, 1) / mean(scene.dressed.cloth, 1)
    expect(ratio).toBeGreaterThan(0.49)
    expect(ratio).toBeLessThan(0.51)
  })
})

/** How far attached vertices are from where a rigid skin carries them [m]: the puppet's skin follows one joint each. */
function attachmentError({ dressed, garment, skeleton }: ReturnType<typeof dress>): number {
  const { cloth, obstacle } = dressed
  const inverse = new Float64Array(16)
  const point = new Float64Array(3)
  let worst = 0
  for (const vertex of garment.attached) {
    let nearest = Infinity
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      invertAffine(skeleton.restMatrices, 16 * joint, inverse, 0)
      transformPoint(inverse, 0, garment.mesh.positions, 3 * vertex, point, 0)
      transformPoint(obstacle.jointMatrices, 16 * joint, point, 0, point, 0)
      transformPoint(obstacle.rootFrame, 0, point, 0, point, 0)
      const at = cloth.positions.subarray(3 * vertex, 3 * vertex + 3)
      nearest = Math.min(nearest, Math.hypot(at[0] - point[0], at[1] - point[1], at[2] - point[2]))
    }
    worst = Math.max(worst, nearest)
  }
  return worst
}
