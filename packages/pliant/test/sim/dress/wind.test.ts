/** Cloth that strong wind presses against a body stays outside, and hangs as before when the wind has stopped. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rigFromScene } from '../../../src/character.js'
import { ExactMeshField } from '../../../src/exact/index.js'
import { fieldCapsule } from '../../../src/field/analytic.js'
import { readGltf } from '../../../src/files/index.js'
import { type BonesNetwork, decode, load } from '../../../src/index.js'
import type { SkinnedField } from '../../../src/learned/skinned.js'
import { skinnedMeshField } from '../../../src/model/mesh-fields.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothTube } from '../../../src/sim/cloth/cloth-tube.js'
import { ClipPlayer } from '../../../src/sim/dress/clip-player.js'
import { DressedCharacter } from '../../../src/sim/dress/dressed-character.js'
import { fitGarment } from '../../../src/sim/dress/fit-garment.js'
import { deepest, FRAME } from '../cloth/sheets.js'

/** The most that the studio's slider gives [m/s]. */
const STRONGEST = 15

describe('a skirt in the strongest wind', () => {
  it('stays outside a leg of a capsule, and hangs round it again afterwards', () => {
    const field = fieldCapsule([0, -0.6, 0], [0, 0.2, 0], 0.1)
    const tube = clothTube({
      path: [
        [0, 0.1, 0],
        [0, -0.5, 0],
      ],
      rings: 24,
      segments: 32,
      radius: (ring) => 0.11 + 0.006 * ring,
    })
    const cloth = new Cloth(tube, { tethers: false })
    cloth.attach(Array.from({ length: 32 }, (_, segment) => segment))
    const least = (frames: number, speed: number): number => {
      let worst = Infinity
      for (let frame = 0; frame < frames; frame++) {
        cloth.wind = [0, 0, -speed * (1 + 0.3 * Math.sin(frame / 20))]
        cloth.step(FRAME, { field })
        worst = Math.min(worst, deepest(cloth, field).vertex)
      }
      return worst
    }
    // 10 cm, the whole radius, while strain alone let cloth go.
    expect(least(120, STRONGEST)).toBeGreaterThan(-0.03)
    least(60, 0)
    expect(least(30, 0)).toBeGreaterThan(0)
  })

  const artifacts = new URL('../../../../../apps/studio/public/artifacts/', import.meta.url)
  const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, artifacts)))

  it.each([
    ['idle', 'exact'],
    ['walk', 'learned'],
    ['turn', 'learned'],
  ])('on the humanoid, clip %s, %s field: never 0.02 heights deep, outside when it has stopped', async (name, kind) => {
    const artifact = await decode(bytes('humanoid.safetensors'), 'character')
    const { character, manifest } = artifact
    const learned = (await load(artifact)) as SkinnedField
    const rest = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(character.skeleton.rest, rest)
    const exact = () =>
      skinnedMeshField(character, new ExactMeshField({ positions: rest, triangles: character.triangles }))
    const [field, truth] = [kind === 'exact' ? exact() : learned, exact()]
    const garment = fitGarment(character, learned, 'skirt')
    const bones = (manifest.networks.distance as BonesNetwork).shape.bones
    const margin = manifest.quality?.safetyMargin ?? 0
    const dressed = new DressedCharacter(character, bones, garment, field, { margin })
    const player = new ClipPlayer(character.skeleton)
    player.play(rigFromScene(readGltf(bytes('humanoid.glb'))).clips.find((clip) => clip.name === name)!)
    const { cloth, obstacle } = dressed
    const distances = new Float64Array(cloth.vertexCount)
    /** How deep the deepest vertex got, of the height; looked at in every third frame. */
    const depth = (frames: number, wind: number): number => {
      let most = 0
      for (let frame = 0; frame < frames; frame++) {
        player.advance(FRAME)
        cloth.wind = [0, 0, -wind]
        dressed.step(FRAME, player.pose, player.rootFrame)
        if (frame % 3 > 0) continue
        obstacle.body = truth
        truth.update({ joints: player.pose })
        obstacle.field.query(cloth.positions, cloth.vertexCount, distances)
        obstacle.body = field
        for (const distance of distances) most = Math.max(most, -distance / character.height)
      }
      return most
    }
    depth(30, 0)
    // 5% of the height, and as much when it had stopped, while strain alone let cloth go.
    expect(depth(75, STRONGEST)).toBeLessThan(0.02)
    depth(30, 0)
    expect(depth(15, 0)).toBeLessThan(0.01)
    learned.dispose()
  })
})
