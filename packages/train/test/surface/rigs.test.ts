import { existsSync, readFileSync } from 'node:fs'
import { validateMesh } from 'pliant'
import { rigFromScene, sampleClip } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { createCharacter } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { makeCollisionSurface, restPositions } from '../../src/surface/collision-surface.js'
import { InsideShells } from '../../src/surface/inside-shells.js'
import { findShells } from '../../src/surface/shells.js'
import { distancesTo, placeSamples, visibleSamples } from '../../src/surface/visible-samples.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const fileOf = (name: string): URL => new URL(`rig-${name}.glb`, folder)
const load = (name: string) => rigFromScene(readGltf(readFileSync(fileOf(name))))

describe('characters of other makers', () => {
  for (const name of ['fox', 'makehuman-cmu31', 'hand-left']) {
    it.skipIf(!existsSync(fileOf(name)))(`${name}: one closed shell, kept as it is`, async () => {
      const rig = load(name)
      const { surface, report } = await makeCollisionSurface(rig.surface, rig.skeleton)
      expect(report.method).toBe('as given')
      expect(surface).toBe(rig.surface)
    })
  }

  it.skipIf(!existsSync(fileOf('kaykit-knight')))(
    'the knight: fifteen shells, ten of them open, are closed and follow the clips',
    async () => {
      const rig = load('kaykit-knight')
      const { surface, report } = await makeCollisionSurface(rig.surface, rig.skeleton)
      expect(report).toMatchObject({ method: 'remeshed', shells: 15, asGiven: 6, openEdges: 102 })
      const rest = restPositions(rig.surface, rig.skeleton)
      const made = restPositions(surface, rig.skeleton)
      const { triangles } = surface
      // Several pieces that may overlap, each of them closed.
      expect(validateMesh({ positions: made, triangles }).map(({ kind }) => kind)).toEqual(['several-pieces'])
      // Measured .0004% and .07%; traced as one, .0125% and .67%, with webs that stretch twentyfold in the clips.
      expect(report.meanDeviation / rig.height).toBeLessThan(0.00002)
      expect(report.maxDeviation / rig.height).toBeLessThan(0.002)

      const shells = findShells(rest, rig.surface.triangles).map((shell) => shell.triangles)
      const inside = new InsideShells(rest, shells)
      const body = { positions: rest, triangles: Uint32Array.from(shells.flatMap((shell) => [...shell])) }
      const all = visibleSamples(body, inside.at.bind(inside), report.cell / 4, 3000, 2)
      const atRest = distancesTo({ positions: made, triangles }, placeSamples(all, rest)).distances
      // Further off at rest than the report's largest: in a hollow that was filled, not to be seen from outside.
      const seen = Uint8Array.from(atRest, (d) => (d <= report.maxDeviation ? 1 : 0))
      const [original, remeshed] = [createCharacter(rig), createCharacter({ ...rig, surface })]
      const [before, after] = [new Float64Array(3 * original.vertexCount), new Float64Array(3 * remeshed.vertexCount)]
      const pose = rig.skeleton.createPose()
      for (const clip of rig.clips.filter((_, i) => i % 19 === 0)) {
        sampleClip(rig.skeleton, clip, clip.duration / 2, pose)
        original.positionsOfPose(pose, before)
        remeshed.positionsOfPose(pose, after)
        const distances = distancesTo({ positions: after, triangles }, placeSamples(all, before)).distances
        const errors = distances.filter((_, i) => seen[i] === 1)
        const mean = errors.reduce((sum, d) => sum + d, 0) / errors.length
        expect(mean / rig.height, clip.name).toBeLessThan(0.0004)
        expect(Math.max(...errors) / rig.height, clip.name).toBeLessThan(0.03)
      }
    },
  )
})
