/** What is measured of cloth over its surface, on a sheet so coarse that it takes a second. */
import { describe, expect, it } from 'vitest'
import { sheetOnPole } from '../../../src/suites/contact/whole-surface.js'

describe('cloth over its whole surface', () => {
  it('is pierced by a pole where points alone are met, and not where edges and triangles are', async () => {
    const { rows, pass } = await sheetOnPole({ side: 10, frames: 30, seconds: 0.01 })
    expect(rows.map(({ contact }) => contact)).toEqual(['points', 'surface'])
    expect(rows[0].pierced).toBeGreaterThan(0)
    expect(rows[1].pierced).toBe(0)
    expect(rows[1].deepest).toBeGreaterThan(0.002)
    expect(rows[1].queries).toBeGreaterThan(rows[0].queries)
    expect(pass.surfaceQueries).toBeGreaterThan(0)
    expect(pass.found).toBeGreaterThan(0)
  })
})
