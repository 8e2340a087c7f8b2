/** What is counted of a method's contacts: depths of surfaces, and balls that have to lie in both bodies. */
import { CONTACT_LIMITS, type Contact, ContactList } from 'pliant'
import { fieldOf, shapeOf } from 'pliant/shapes'
import { describe, expect, it } from 'vitest'
import { toldBy } from '../../../src/suites/contact/judged-pose.js'
import type { PosedField } from '../../../src/suites/contact/reference.js'

/** Cubes of side 1, the second .4 to the right of the first. */
const cubes = [0, 0.4].map((x): PosedField => {
  const field = fieldOf(shapeOf({ shape: 'box', half: [0.5, 0.5, 0.5] }))
  return { field, box: field.box, pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1) }
})

/** Contacts along x between these two places. */
function contactsOf(...all: { a: number; b: number; limit: Contact['limit'] }[]): ContactList {
  const list = new ContactList(4)
  for (const { a, b, limit } of all) {
    const at = list.count++
    list.pointsA[3 * at] = a
    list.pointsB[3 * at] = b
    list.separations[at] = b - a
    list.limits[at] = CONTACT_LIMITS.indexOf(limit)
  }
  return list
}

describe('what contacts tell', () => {
  const surface = { a: 0.5, b: 0.3, limit: 'none' } as const

  it('is the depth of surfaces, and beside it a ball in both bodies', () => {
    expect(toldBy(contactsOf({ a: 0.5, b: -0.1, limit: 'room' }, surface), cubes, 2)).toEqual({
      depth: 0.1,
      room: 'right',
    })
    expect(toldBy(contactsOf(surface), cubes, 2)).toEqual({ depth: 0.1 })
    expect(toldBy(contactsOf({ a: 0.5, b: -0.1, limit: 'room' }), cubes, 2)).toEqual({ depth: 0.3, room: 'right' })
  })

  it.each([
    ['second', 0.5, -0.11],
    ['first', 0.51, -0.1],
  ])('counts a ball that sticks out of the %s body as wrong', (_, a, b) => {
    expect(toldBy(contactsOf({ a, b, limit: 'room' }, surface), cubes, 2)?.room).toBe('wrong')
  })

  it('is nothing where nothing overlaps', () => {
    expect(toldBy(contactsOf({ a: 0.5, b: 0.6, limit: 'none' }), cubes, 2)).toBeUndefined()
  })
})
