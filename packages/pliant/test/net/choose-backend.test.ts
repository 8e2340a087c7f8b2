import { expect, test } from 'vitest'
import { chooseBackend } from '../../src/net/choose-backend.js'
import { simdSupport } from '../../src/net/simd-support.js'

test.each(['ort', 'wasm', 'SIMD', '', 'toString', null])('a backend of %j is refused by name', (backend) => {
  expect(() => chooseBackend(backend as never)).toThrow(
    new RangeError(`network: backend is '${backend}'; choose one of auto, simd-relaxed, simd, scalar.`),
  )
})

test('what the host has is given', () => {
  expect(chooseBackend('scalar')).toEqual({ backend: 'scalar' })
  const fastest = { relaxed: 'simd-relaxed', plain: 'simd', forbidden: 'scalar', none: 'scalar' }[simdSupport()]
  expect(chooseBackend().backend).toBe(fastest)
  expect(chooseBackend('auto').backend).toBe(fastest)
  if (simdSupport() !== 'none') expect(chooseBackend('simd')).toEqual({ backend: 'simd' })
})
