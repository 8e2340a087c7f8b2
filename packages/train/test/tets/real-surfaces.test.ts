/** Surfaces of other people; skipped where the folder is not there. */
import { existsSync, readFileSync } from 'node:fs'
import { readObj } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import { tetrahedralise } from '../../src/tets/tetrahedralise.js'
import { expectSoundBody } from './solid-shapes.js'

const fileOf = (name: string): URL => new URL(`../../../../../shared/data/${name}`, import.meta.url)

describe('surfaces of other people', () => {
  for (const name of ['surf-spot-23k.obj', 'surf-koala-7k.obj']) {
    it.skipIf(!existsSync(fileOf(name)))(name, { timeout: 60_000 }, async () => {
      const given = readObj(readFileSync(fileOf(name)))
      const { mesh, report } = await tetrahedralise(given, { nodes: 400 })
      // Of few nodes: one of the koala stands .033 off.
      expect(expectSoundBody(mesh, given, 0.036)).toBe(2)
      expect(Math.abs(report.nodes - 400)).toBeLessThan(20)
      expect(report.smallestAngle).toBeGreaterThan(9)
      expect(report.meanDistance).toBeLessThan(0.15)
      expect(report.maxDistance).toBeLessThan(4)
    })
  }
})
