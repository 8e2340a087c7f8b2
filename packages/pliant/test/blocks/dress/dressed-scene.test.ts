import { describe, expect, it } from 'vitest'
import { DressedScene, type DressedSceneOptions } from '../../../src/blocks/dress/dressed-scene.js'
import { gustAt } from '../../../src/blocks/dress/gusts.js'
import { type BodyField, ClipPlayer, DressedCharacter, fitGarment } from '../../../src/sim/index.js'
import { FRAME } from '../../sim/cloth/sheets.js'
import { puppet, swing } from '../../sim/dress/puppet.js'

const WALK = { LeftUpLeg: [0, 0.6], RightUpLeg: [0, -0.6], LeftLeg: [0, 0.3], RightLeg: [0, 0.3] } as const

function dress(collides: boolean, options: DressedSceneOptions = {}) {
  const body = puppet()
  const garment = fitGarment(body.character, body.capsules, 'skirt')
  const field: BodyField = body.capsules
  const scene = new DressedScene(body, garment, collides ? field : undefined, options)
  return { ...body, field, garment, scene, clip: swing(body.skeleton, WALK, 1) }
}

function run(scene: DressedScene, frames: number): void {
  for (let frame = 0; frame < frames; frame++) scene.step(FRAME)
}

/** Of the cloth's vertices from the body of the last step [m]; the capsules are told its pose, whoever collides with it. */
function leastDistance({ scene, capsules }: ReturnType<typeof dress>): number {
  const distances = new Float64Array(scene.cloth.vertexCount)
  capsules.update({ matrices: scene.jointMatrices })
  scene.distancesTo(capsules, distances)
  return distances.reduce((a, b) => Math.min(a, b))
}

describe('a dressed scene', () => {
  it('is a player and a dressed character, stepped together', () => {
    const { scene, clip, skeleton, character, bones, garment } = dress(true)
    scene.play(clip)
    run(scene, 30)
    const player = new ClipPlayer(skeleton)
    player.play(clip)
    const dressed = new DressedCharacter(character, bones, garment, puppet().capsules)
    for (let frame = 0; frame < 30; frame++) {
      player.advance(FRAME)
      dressed.step(FRAME, player.pose, player.rootFrame)
    }
    expect(scene.cloth.positions).toEqual(dressed.cloth.positions)
    expect(scene.rootFrame).toEqual(dressed.obstacle.rootFrame)
    expect(scene.seconds).toBeCloseTo(0.5, 9)
  })

  it('may share its player: scenes that follow one player do as each would alone', () => {
    const alone = dress(true)
    alone.scene.play(alone.clip)
    run(alone.scene, 20)
    const player = new ClipPlayer(alone.skeleton)
    const pair = [dress(true, { player }), dress(false, { player })]
    player.play(alone.clip)
    for (let frame = 0; frame < 20; frame++) {
      player.advance(FRAME)
      for (const { scene } of pair) scene.follow(FRAME)
    }
    expect(pair[0].scene.cloth.positions).toEqual(alone.scene.cloth.positions)
    expect(pair[1].scene.cloth.positions).not.toEqual(alone.scene.cloth.positions)
  })

  it('blows at the cloth in gusts that go on where the garment is put on again', () => {
    const { scene } = dress(true)
    scene.cloth.wind = [1, 2, 3]
    run(scene, 1)
    expect(scene.cloth.wind, "without a wind of the scene's the cloth's own stays").toEqual([1, 2, 3])
    scene.wind = { speed: 4, from: 0.5 }
    run(scene, 5)
    scene.reset()
    run(scene, 2)
    expect(scene.cloth.wind).toEqual(gustAt({ speed: 4, from: 0.5 }, scene.seconds - FRAME))
  })
})

describe('what the cloth collides with', () => {
  it('keeps it outside; with nothing it hangs through the legs', () => {
    const [outside, through] = [dress(true), dress(false)]
    for (const { scene, clip } of [outside, through]) {
      scene.play(clip)
      run(scene, 60)
    }
    expect(leastDistance(outside)).toBeGreaterThan(-0.01)
    expect(leastDistance(through)).toBeLessThan(-0.03)
  })

  it('may be exchanged in motion; cloth that hung through the body is put on again', () => {
    const scenes = dress(false)
    const { scene, clip, field } = scenes
    scene.play(clip)
    run(scene, 60)
    const inside = scene.cloth
    scene.collideWith(field)
    expect(scene.cloth).not.toBe(inside)
    expect(scene.field).toBe(field)
    run(scene, 60)
    expect(leastDistance(scenes)).toBeGreaterThan(-0.01)
    const worn = scene.cloth
    const before = worn.positions.slice()
    scene.collideWith({ ...field, update: () => {}, query: field.query.bind(field), bounds: () => undefined })
    expect(scene.cloth, 'from a field to another it hangs on').toBe(worn)
    expect(scene.cloth.positions).toEqual(before)
    scene.collideWith(undefined)
    expect(scene.cloth).toBe(worn)
    run(scene, 40)
    expect(leastDistance(scenes)).toBeLessThan(-0.01)
  })
})

describe('a garment that is put on again', () => {
  it('hangs where the body has walked to, the body at rest for a moment, and the clip begins again', () => {
    const { scene, clip } = dress(true)
    const start = scene.cloth.positions.slice()
    scene.play(clip)
    run(scene, 50)
    const walked = scene.player.rootFrame[14]
    expect(walked).toBeGreaterThan(0.2)
    scene.reset()
    expect(scene.player.time).toBe(0)
    const lowered = scene.player.rootFrame[13] - 1
    scene.cloth.positions.forEach((value, i) => {
      expect(value - start[i]).toBeCloseTo([0, lowered, walked][i % 3], 6)
    })
    run(scene, 1)
    // The next pose is next to rest, not where the clip was.
    expect(scene.rootFrame[14] - walked).toBeLessThan(0.05)
  })

  it('may be another', () => {
    const { scene, character, capsules, clip } = dress(true)
    scene.play(clip)
    run(scene, 5)
    const sleeves = fitGarment(character, capsules, 'sleeves')
    scene.wear(sleeves)
    expect(scene.cloth.vertexCount).toBe(sleeves.mesh.positions.length / 3)
    run(scene, 5)
    expect(scene.cloth.positions.every(Number.isFinite)).toBe(true)
  })
})

it("distances are in the character's own unit, wherever the root is", () => {
  const [whole, small] = [dress(false), dress(false, { unit: 0.01 })]
  const [inMetres, inCentimetres] = [whole, small].map(({ scene, capsules }) => {
    const distances = new Float64Array(scene.cloth.vertexCount)
    capsules.update({ matrices: scene.jointMatrices })
    scene.distancesTo(capsules, distances)
    return distances
  })
  expect(small.scene.cloth.positions[1] / whole.scene.cloth.positions[1]).toBeCloseTo(0.01, 9)
  expect(Math.max(...inMetres)).toBeGreaterThan(0.02)
  inMetres.forEach((distance, v) => {
    expect(inCentimetres[v]).toBeCloseTo(distance, 9)
  })
  const points = new Float64Array(small.scene.cloth.positions.length)
  small.scene.clothInRoot(points)
  // As it was cut: the root frame has its origin in the root joint.
  points.forEach((value, i) => {
    expect(value).toBeCloseTo(small.garment.mesh.positions[i], 9)
  })
})
