import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { describeMachine } from '../../src/origin/machine.js'

test('a machine is described without its name', () => {
  const machine = describeMachine()
  expect(machine.cores).toBeGreaterThan(0)
  expect(Object.keys(machine)).toEqual(['cpu', 'cores', 'memoryGB', 'node', 'platform'])
  expect(Object.values(machine)).not.toContain(hostname())
})
