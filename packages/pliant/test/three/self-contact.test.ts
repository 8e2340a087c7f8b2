/** A body driven by modal weights on a page: what is drawn, what is told and what is repaired must be of one code. */
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { exactSelfContact } from '../../src/exact/index.js'
import { load } from '../../src/index.js'
import { loadSelfContact, SelfContact } from '../../src/three/index.js'
import { exampleArtifact } from '../artifact/example.js'
import { CLOSES_AT, selfContactExample } from '../artifact/self-contact-example.js'

const artifact = selfContactExample('plane')
const bytes = await encode(artifact)
const code = [0.2, -0.6, 0.3]

describe('SelfContact', () => {
  it('draws the surface at its code, with normals and bounds that follow', async () => {
    const body = await loadSelfContact(bytes)
    const { geometry } = body
    expect([...geometry.index!.array]).toEqual([...artifact.model.triangles])
    const drawn = () => Float64Array.from(geometry.getAttribute('position').array)
    expect(drawn()).toEqual(artifact.model.rest)
    const version = (geometry.getAttribute('position') as unknown as { version: number }).version
    const normals = Float32Array.from(geometry.getAttribute('normal').array)
    body.setCode(code)
    const due = new Float64Array(artifact.model.rest.length)
    artifact.model.positions(code, due)
    expect(Math.max(...drawn().map((value, i) => Math.abs(value - due[i])))).toBeLessThan(1e-6)
    expect((geometry.getAttribute('position') as unknown as { version: number }).version).toBeGreaterThan(version)
    expect(Float32Array.from(geometry.getAttribute('normal').array)).not.toEqual(normals)
    const box = geometry.boundingBox!
    expect(Math.min(...due)).toBeCloseTo(Math.min(box.min.x, box.min.y, box.min.z), 6)
    expect([...body.code]).toEqual(code)
    body.dispose()
  })

  it('tells the distance of its code, and touches where that is negative', async () => {
    const body = await loadSelfContact(bytes)
    expect(body.distance).toBeCloseTo(CLOSES_AT, 6)
    expect(body.isTouching).toBe(false)
    body.setCode([0.9, 0, 0])
    expect(body.distance).toBeCloseTo(CLOSES_AT - 0.9, 6)
    expect(body.isTouching).toBe(true)
  })

  it('lets the exact test decide, everywhere or where the field is not sure', async () => {
    // Tilted far apart, the ends pass each other: the field, which sees the first mode alone, is wrong.
    const passing = [0.6, 1, 0]
    const always = await loadSelfContact(bytes, { exact: exactSelfContact })
    always.setCode(passing)
    expect(exactSelfContact(artifact.model).touches(Float64Array.from(passing))).toBe(false)
    expect(always.distance).toBeLessThan(-0.1)
    expect(always.isTouching).toBe(false)
    const sure = await loadSelfContact(bytes, { exact: exactSelfContact, tau: 0.1 })
    sure.setCode(passing)
    expect(sure.isTouching).toBe(true)
  })

  it('repairs its code and moves with it; a free one stays', async () => {
    const body = await loadSelfContact(bytes, { exact: exactSelfContact })
    body.setCode([0.9, 0, 0])
    expect(body.isTouching).toBe(true)
    const report = body.repair()
    expect(report).toMatchObject({ free: true, wasFree: false })
    expect(body.isTouching).toBe(false)
    expect(body.distance).toBeGreaterThan(0)
    const due = new Float64Array(artifact.model.rest.length)
    artifact.model.positions(body.code, due)
    const drawn = body.geometry.getAttribute('position').array
    expect(Math.max(...due.map((value, i) => Math.abs(value - drawn[i])))).toBeLessThan(1e-6)
    // Drawn in, the ends meet earlier than the field knows.
    body.setCode([0.45, 0, -1])
    expect(body.distance).toBeGreaterThan(0.04)
    expect(body.repair()).toMatchObject({ free: true, wasFree: false })
    expect(body.isTouching).toBe(false)
    const kept = body.code
    expect(body.repair()).toMatchObject({ free: true, wasFree: true, moved: 0 })
    expect(body.code).toEqual(kept)
  })

  it('refuses a code of another length and a file of another kind in one line, and stays as it was', async () => {
    const body = new SelfContact(artifact, await load(artifact))
    body.setCode(code)
    expect(() => body.setCode([1])).toThrow('self-contact: Array of 1 for 3 code values; pass one number each.')
    expect(() => body.setCode([1, Infinity, 0])).toThrow('self-contact: code value 1 is Infinity; pass finite numbers.')
    expect([...body.code]).toEqual(code)
    await expect(loadSelfContact(await encode(exampleArtifact()))).rejects.toThrow(
      "artifact: 'example' is of kind 'linear-modes', should be 'self-contact'; pass another file.",
    )
  })
})
