import { readFileSync } from 'node:fs'
import { decode, load } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)

it("the README's first example asks within the band, and gets what it says", async () => {
  const [, example] = readFileSync(new URL('README.md', root), 'utf8').split('```ts')
  const numbers = (pattern: RegExp): number[] =>
    example
      .match(pattern)![1]
      .split(/, | and /)
      .map(Number)
  const points = numbers(/new Float32Array\(\[(.*?)\]\)/)
  const code = numbers(/field\.update\(\{ code: \[(.*?)\] \}\)/)
  const promised = numbers(/\/\/ ([-\d.]+ and [-\d.]+): negative inside/)
  const artifact = await decode(
    readFileSync(new URL('apps/studio/public/artifacts/bar.safetensors', root)),
    'linear-modes',
  )
  const { model, manifest } = artifact
  const positions = new Float64Array(model.rest.length)
  model.positions(code, positions)
  const exact = new Float64Array(2)
  new ExactMeshField({ positions, triangles: model.triangles }).query(Float64Array.from(points), 2, exact)
  const field = await load(artifact)
  const learned = new Float64Array(2)
  field.update({ code })
  field.query(Float64Array.from(points), 2, learned)
  field.dispose()
  for (let i = 0; i < 2; i++) {
    expect(Math.abs(exact[i])).toBeLessThan(manifest.truncation)
    // A newcomer sees two or three digits; the file may be trained anew.
    expect(learned[i]).toBeCloseTo(promised[i], 2)
    expect(exact[i]).toBeCloseTo(promised[i], 2)
  }
})
