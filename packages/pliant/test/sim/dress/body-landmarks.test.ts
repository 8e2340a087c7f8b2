import { expect, it } from 'vitest'
import { Skeleton } from '../../../src/model/skeleton.js'
import { bodyLandmarks, isUpright } from '../../../src/sim/dress/body-landmarks.js'
import { fitGarment, garmentKinds } from '../../../src/sim/dress/fit-garment.js'
import { puppet } from './puppet.js'

it('finds arms, legs, pelvis and chest of a figure', () => {
  const { skeleton } = puppet()
  const found = bodyLandmarks(skeleton)
  expect(found.arms.length).toBe(2)
  expect(found.legs.length).toBe(2)
  expect(found.pelvis?.[1]).toBeCloseTo(-0.05, 12)
  expect(found.chest?.[1]).toBeCloseTo(0.35, 12)
  expect(found.arms[0][2][0]).toBeCloseTo(0.75, 12)
  expect(garmentKinds(found)).toEqual(['skirt', 'sleeves'])
})

it('gives no skirt to what goes on all fours, and says so', () => {
  const { skeleton, capsules: field } = puppet()
  const { names, parents, root, rest } = skeleton
  // The chest in front of the hips instead of above them.
  const translations = rest.translations.slice()
  translations.set([0, 0.05, 0.4], 3)
  const animal = new Skeleton({ names, parents, root, rest: { ...rest, translations } })
  const landmarks = bodyLandmarks(animal)
  expect(isUpright(landmarks)).toBe(false)
  expect(garmentKinds(landmarks)).toEqual(['sleeves'])
  expect(() => fitGarment({ skeleton: animal, height: 1 }, field, 'skirt')).toThrow('no skirt')
})

/** The puppet under names that say nothing. */
function nameless() {
  const { skeleton, capsules: field } = puppet()
  const { names, parents, root, rest } = skeleton
  const numbered = new Skeleton({ names: names.map((_, i) => `bone ${i}`), parents, root, rest })
  const called = (part: RegExp) => names.flatMap((name, i) => (part.test(name) ? [`bone ${i}`] : []))
  return { skeleton: numbered, field, hand: called(/hand/i), foot: called(/foot/i) }
}

it('takes hands and feet that are named to it, and hints at that where names say nothing', () => {
  const { skeleton, field, hand, foot } = nameless()
  expect([hand.length, foot.length]).toEqual([2, 2])
  expect(garmentKinds(bodyLandmarks(skeleton))).toEqual([])
  expect(() => fitGarment({ skeleton, height: 1 }, field, 'sleeves')).toThrow(
    "no sleeves for a body of 0 legs and 0 arms by its joints' names; name them as joints: { hand: [...], foot: [...] }",
  )
  expect(bodyLandmarks(skeleton, { hand, foot })).toEqual(bodyLandmarks(puppet().skeleton))
  const sleeves = fitGarment({ skeleton, height: 1 }, field, 'sleeves', { joints: { hand } })
  expect(sleeves.mesh.positions.length).toBeGreaterThan(0)
  expect(() => bodyLandmarks(skeleton, { hand: ['paw'] })).toThrow("no joint 'paw' below the root; choose from bone 0")
})

it('finds the ends of limbs that are numbered', () => {
  const { skeleton } = puppet()
  const { names, parents, root, rest } = skeleton
  const limb = (name: string) => name.replace(/hand|foot/i, /hand/i.test(name) ? 'arm3' : 'leg3')
  const numbered = new Skeleton({ names: names.map(limb), parents, root, rest })
  expect(garmentKinds(bodyLandmarks(numbered))).toEqual(garmentKinds(bodyLandmarks(skeleton)))
})
