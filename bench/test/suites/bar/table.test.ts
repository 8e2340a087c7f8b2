import { expect, it } from 'vitest'
import { barTable } from '../../../src/suites/bar/table.js'
import { barResult } from '../results.js'

it('the table of suite bar shows every row, and the gain over the fastest rival', () => {
  const text = barTable(barResult)
  expect(text).toMatch(/distance error, mean +0\.01 m +0\.5%/)
  expect(text).toMatch(/right sign +99\.5%/)
  expect(text).toMatch(/^anywhere +1,024 +10 +6 +50 +30 +125 +80 +3\.0x \(our exact, stopping\)$/m)
  expect(text).toMatch(/^near the surface +1,024 +10 +6 +50 +30 +125 +80 +3\.0x \(our exact, stopping\)$/m)
  expect(text).toMatch(/Mean error over 3 seeds: 0\.55% of the diagonal, 95% interval 0\.5% to 0\.6%\./)
  // What holds where: errors in the band, and how wrong it is beyond.
  expect(text).toMatch(/distance error, largest +0\.04 m +2%/)
  expect(text).toMatch(/within a band of 5% from the surface,\nbeyond which 70% of points anywhere/)
  expect(text).toMatch(/beyond the band: error, mean +0\.03 m +1\.5%/)
  expect(text).toMatch(/beyond the band: too far away at most +0\.1 m +5%/)
})
