/** The code that pages show must be code that works: what it imports is there. */
import { describe, expect, it } from 'vitest'
import { CLOTH_CODE } from '../../src/pages/cloth/cloth-code.js'
import { FIELD_CODE } from '../../src/pages/field/field-code.js'
import { HAPTICS_CODE } from '../../src/pages/haptics/haptics-code.js'
import { POSE_CODE } from '../../src/pages/pose-repair/pose-code.js'
import { SDF_CONTACT_CODE } from '../../src/pages/sdf-contact/sdf-contact-code.js'
import { CONTACT_CODE } from '../../src/pages/self-contact/contact-code.js'

describe.each([
  ['cloth', CLOTH_CODE],
  ['field', FIELD_CODE],
  ['haptics', HAPTICS_CODE],
  ['self-contact', CONTACT_CODE],
  ['pose-repair', POSE_CODE],
  ['sdf-contact', SDF_CONTACT_CODE],
])('the code of %s', (_, code) => {
  it('imports only what there is', async () => {
    const imports = [...code.matchAll(/import \{ (.+) \} from '(.+)'/g)]
    expect(imports.length).toBeGreaterThan(0)
    for (const [, names, entry] of imports) {
      const exported = await import(/* @vite-ignore */ entry)
      for (const name of names.split(', ')) expect(exported, `${name} of ${entry}`).toHaveProperty(name)
    }
  })

  it('is short enough to be read at a glance', () => {
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(14)
  })
})
