import { expect, it } from 'vitest'
import { ContactList, NO_FEATURE } from '../../src/field/contact.js'

it('holds contacts as flat arrays, views one and moves it to another place', () => {
  const list = new ContactList(3)
  list.count = 3
  list.pointsA.set([7, 8, 9], 6)
  list.pointsB.set([1, 2, 3], 6)
  list.normals.set([0, 1, 0], 6)
  list.separations[2] = -0.5
  list.areas[2] = 0.25
  list.featuresA[2] = 11
  list.move(2, 0)
  list.count = 1
  const contact = list.at(0)
  expect([...contact.pointA, ...contact.pointB, ...contact.normal]).toEqual([7, 8, 9, 1, 2, 3, 0, 1, 0])
  expect(contact).toMatchObject({ separation: -0.5, area: 0.25, featureA: 11, featureB: NO_FEATURE })
  expect(() => list.at(1)).toThrow(/no contact 1 of 1/)
  expect(() => new ContactList(-1)).toThrow(/capacity is -1/)
})
