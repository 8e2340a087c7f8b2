import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSubject, readSpec } from '@pliant/train'
// The built package: surfaces are filled by a thread that is a file of it.
import { type LoadedObject, requireFillable } from '@pliant/train/unstable'
import { writeObj } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import { box, joined, moved, ring, sphere } from './solid-shapes.js'

describe('surfaces to fill', () => {
  it('that can be are told from those that cannot', () => {
    for (const surface of [sphere(2), ring(), box([1, 0.03, 1], 4)]) {
      expect(requireFillable(surface).crossing).toBe(false)
    }
    const small = { ...sphere(2), positions: sphere(2).positions.map((x) => x / 2) }
    const hollow = joined(sphere(2), { ...small, triangles: small.triangles.slice().reverse() })
    expect(requireFillable(hollow).crossing).toBe(false)
    expect(() => requireFillable(joined(sphere(2), moved(sphere(2), [3, 0, 0])))).toThrow('makes 2 bodies')
    expect(() => requireFillable(joined(sphere(2), moved(sphere(2), [0.5, 0, 0])))).toThrow('passes through itself')
    expect(() => requireFillable(box([1, 0.0005, 1], 4))).toThrow(/is 0.035% of its size thick .*, too thin/)
  })

  it('that pass through themselves are filled by the advice that their refusal gives', async () => {
    const crossing = joined(sphere(2), moved(sphere(2), [0.5, 0, 0]))
    const folder = mkdtempSync(join(tmpdir(), 'pliant-fill-'))
    writeFileSync(join(folder, 'two.obj'), writeObj(crossing))
    const load = (model: object) => loadSubject(readSpec(JSON.stringify({ model })), folder) as Promise<LoadedObject>
    const refusal = await load({ body: 'two.obj', nodes: 200 }).catch((error: Error) => error.message)
    const [, key, value] = /"(\w+)": "(\w+)" beside "body" in a spec/.exec(String(refusal))!
    const { filling } = await load({ body: 'two.obj', nodes: 200, [key]: value })
    expect(filling!.nodes).toBeGreaterThan(150)
    // Distances are measured where the surface bounds the body, not where one ball lies within the other.
    expect(filling!.meanDistance).toBeLessThan(0.3)
    expect(filling!.maxDistance).toBeLessThan(3)
  })
})
