import { expect, it } from 'vitest'
import { clothTables } from '../../../src/suites/cloth/table.js'
import { clothResult, drapedResult } from '../results.js'

it('the tables of suite cloth show each part with its gain over the fastest rival, on the harder clip', () => {
  const text = clothTables(clothResult)
  expect(text).toMatch(/40 poses of dance \(harder than turn: learned 0\.04%\) by each of 2 seeds/)
  expect(text).toMatch(/in a band of 5%, beyond which 60% of points anywhere lie/)
  expect(text).toMatch(
    /^learned +1\.5 MB +0\.052% +0\.05 to 0\.054 +0\.184% +1\.2% +99\.96% +4\.8 +24 +1\.4% +18% +1,000 +800$/m,
  )
  expect(text).toMatch(
    /^near the surface +1,024 +1,000 +600 +9,000 +3,900 +1,100 +400 +4,000 +3,000 +16,000 +45,700 +12,300 +8,000 +3\.0x \(our exact, stopping\)$/m,
  )
  expect(text).toMatch(/random weights, its time only/)
  expect(text).toMatch(/^learned +12\.5 +12$/m)
  expect(text).toMatch(/^Gain over the fastest rival: 12\.0x \(our exact\)\.$/m)
  expect(text).toMatch(/^Rapier 0\.21 +100 +180 /m)
  expect(text).toMatch(/^25\.0x faster in the median, 20\.0x in the largest\.$/m)
  expect(text).toMatch(/No garment is cut for this body/)
})

it('a draped garment has a row for each field, and its minutes of endurance a line', () => {
  const text = clothTables(drapedResult)
  expect(text).toMatch(/A skirt of 1,056 vertices over 20 s from each of 2 moments of dance/)
  expect(text).toMatch(/^learned +0\.7% +0\.7, 0\.4 +0\.13% +2 +0\.25% +2 +3 of 20 J +0$/m)
  expect(text).toMatch(/^capsules +1\.5% /m)
  expect(text).toMatch(/Over 600 s with the clip at 4x: 0 vertices not finite, none faster than 12 m\/s/)
})
