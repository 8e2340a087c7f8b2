// The built packages: drops are simulated by files of them.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildPrograms } from '../../../src/suites/native/programs.js'
import { raceNative } from '../../../src/suites/native/run.js'
import { nativeTables } from '../../../src/suites/native/table.js'

const artifact = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url))

it('races Embree where it can be built: it answers as our exact field does, and every row has it', async (context) => {
  const built = await buildPrograms({ among: ['embree'] })
  context.skip(built.skipped.length > 0, built.skipped[0]?.reason)
  const effort = {
    ...{ frames: 2, counts: [16], sizeCounts: [16], divisions: 1, rounds: 2, warmUp: 1 },
    agreement: { frames: 1, points: 16 },
  }
  const given = { softBody: artifact('bunny'), character: artifact('humanoid') }
  const stages = new Set<string>()
  const result = await raceNative(built, effort, { ...given, onProgress: ({ stage }) => stages.add(stage) })
  expect(result.programs).toEqual(['embree'])
  expect([...stages]).toEqual(['poses', 'queries', 'sizes', 'pairs'])
  const embree = result.agreement.filter(({ method }) => method.startsWith('embree'))
  expect(embree.map(({ body, off, otherTriangle }) => [body, off, otherTriangle])).toEqual([
    ['bunny', 0, 0],
    ['bunny', 0, 0],
    ['humanoid', 0, 0],
    ['humanoid', 0, 0],
  ])
  expect(result.queries).toHaveLength(4)
  for (const { gains } of result.queries) {
    for (const outputs of Object.values(gains)) {
      for (const rivals of Object.values(outputs)) expect(rivals.embree?.ratio).toBeGreaterThan(0)
    }
  }
  expect(result.sizes.map(({ triangles }) => triangles)).toEqual([3040, 12_160])
  expect(result.collisions.map(({ body, gains }) => [body, Object.keys(gains)])).toEqual([
    ['tube', ['embree']],
    ['bunny', ['embree']],
    ['humanoid', ['embree']],
  ])
  expect(nativeTables(result)).toMatch(/^humanoid +anywhere, stopping +16 /m)
})
