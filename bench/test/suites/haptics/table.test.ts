import { expect, it } from 'vitest'
import { hapticsTables } from '../../../src/suites/haptics/table.js'
import { hapticsResult } from '../results.js'

it('the tables of suite haptics show each part with its gain over the fastest rival of equal output', () => {
  const text = hapticsTables(hapticsResult)
  expect(text).toMatch(/2,000 multiplications a query \(the paper's 115,200\)/)
  expect(text).toMatch(
    /^near +128 +0\.25 +0\.2 +0\.3 +0\.9 +0\.5 +0\.55 +1\.2 +0\.8 +0\.6 +0\.7 +0\.65 +0\.62 +2 +1\.5 +3 +2\.4x \(our exact, distances\) +2\.1x \(our exact, stopping\) +1\.2x \(our exact, pseudonormals\) +0\.41 +1\.41 /m,
  )
  expect(text).toMatch(/random weights, its time only/)
  expect(text).toMatch(/code 0, pose 90; then queries near the surface: 128 in 60\./)
  expect(text).toMatch(/^anywhere +1,024 +4 +3 +170 +14 +5 +56\.7x +1\.7x$/m)
  expect(text).toMatch(/has the scan's triangle in 400 and its distance to the last bit in 400/)
  expect(text).toMatch(/^ +128 +0\.6 +20 +1 +2 +3 +2\.64 +4\.88$/m)
  expect(text).toMatch(
    /^learned +run time +simulated +50 of 56 +0\.1% +0\.09 to 0\.11 +0\.3% +2\.5% +0\.08% +99\.7% +4 +25 +1\.1% +7%$/m,
  )
  expect(text).toMatch(/of 2 seeds, .* in a band of 5%, beyond\nwhich 60% of points anywhere lie/)
  expect(text).toMatch(/^exact +4 +1 +0\.5 +0\.1 +0\.3 +0\.05 +0\.2 +6\.15 +9 +30 +0\.6% +60 +1\.5$/m)
  expect(text).toMatch(/jerk is 1\.05 of the exact one's/)
  expect(text).not.toMatch(/^paper +4 /m)
})
