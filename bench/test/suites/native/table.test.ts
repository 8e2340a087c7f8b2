import { expect, it } from 'vitest'
import { nativeMarkdown } from '../../../src/suites/native/markdown.js'
import { nativeTables } from '../../../src/suites/native/table.js'
import { nativeResult } from '../results.js'

it('the tables say what is left out, how far each rival is behind, and who answers something else', () => {
  const text = nativeTables(nativeResult)
  expect(text).toMatch(
    /^igl is left out: .* libigl-dev\nbunny: bench native: igl: no tree\.\ntube: bench native: fcl: out of order\.$/m,
  )
  expect(text).toMatch(/^body +points +queries +ours +Embree +our exact$/m)
  // Without rivals that ran nowhere.
  expect(text).not.toMatch(/libigl$|three-mesh-bvh/m)
  expect(text).toMatch(/^bunny +near +128 +94\.3 +1\.2x \(1\.1-1\.5\) +5\.2x \(5-5\.4\)$/m)
  expect(text).toMatch(/^bunny +near +128 +327 +0\.37x \(1\.1-1\.5\)$/m)
  expect(text.indexOf('near  ')).toBeLessThan(text.indexOf('anywhere  '))
  expect(text.indexOf('anywhere  ')).toBeLessThan(text.indexOf('anywhere, stopping  '))
  expect(text).toMatch(/^ +12,160 +128 +94\.3 +327 +121 +504$/m)
  expect(text).toMatch(/^tube +5,880 +0-108 +3620 \/ -0 \+0 +0\.69x \(0\.63-0\.7\) \/ -3 \+0$/m)
  expect(text).toMatch(/^bunny +Embree +16,384 +6e-7% +0\.000005% +0 +12 +0 +0$/m)
  expect(text).toMatch(/^bunny +learned +16,384 +0\.05% +0\.5% +8 *$/m)
})

it('a document has the same figures', () => {
  const text = nativeMarkdown(nativeResult)
  expect(text).toMatch(/^## Beside native libraries$/m)
  expect(text).toMatch(/^- igl is left out: /m)
  expect(text).toMatch(/^\| bunny \| near \| 128 \| 94\.3 \| 1\.2x \(1\.1-1\.5\) \| 5\.2x \(5-5\.4\) \|$/m)
})
