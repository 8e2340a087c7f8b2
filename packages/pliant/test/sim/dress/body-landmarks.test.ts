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
  const { skeleton, field } = puppet()
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
