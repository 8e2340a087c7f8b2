import { expect, it } from 'vitest'
import { windTable } from '../../../src/suites/wind/table.js'
import { windResult } from '../results.js'

it('the wind table says how deep the garment got in gusts and after them', () => {
  const lines = windTable(windResult).split('\n')
  expect(lines[0]).toContain('A skirt of 1,056 vertices on hero: 2 s of calm, 4 s of gusts')
  expect(lines.at(-1)!.trim().split(/\s+/)).toEqual(['squat', '15', 'exact', '0', '3.4', '811', '0.25', '0'])
})
