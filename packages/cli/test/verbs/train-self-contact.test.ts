/** What cannot be learned of self-contact is refused in one line that names the remedy, before anything takes long. */
import { existsSync, writeFileSync } from 'node:fs'
import { sweepTets } from '@pliant/train/unstable'
import type { TetMesh, Vec3 } from 'pliant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)

/** @param opening  how much of the circle is open [rad] */
function ring(opening: number): TetMesh {
  const curve = (s: number): { at: Vec3; radius: number } => {
    const angle = opening / 2 + s * (2 * Math.PI - opening)
    return { at: [0.05 * Math.cos(angle), 0, 0.05 * Math.sin(angle)], radius: 0.006 }
  }
  return sweepTets({ curve, along: 16, across: 1 })
}

function medit({ positions, tetrahedra }: TetMesh): string {
  const rows = (values: ArrayLike<number>, width: number, shift: number): string[] =>
    Array.from({ length: values.length / width }, (_, i) =>
      [...Array.from({ length: width }, (_, k) => values[i * width + k] + shift), 0].join(' '),
    )
  const [vertices, tets] = [rows(positions, 3, 0), rows(tetrahedra, 4, 1)]
  return [
    ...['MeshVersionFormatted 2', 'Dimension 3', 'Vertices', vertices.length, ...vertices],
    ...['Tetrahedra', tets.length, ...tets, 'End'],
  ].join('\n')
}

const save = (name: string, content: string): void => writeFileSync(folder.file(name), content)
const spec = (model: object, more: object = {}): string => JSON.stringify({ model, learn: 'self-contact', ...more })

beforeAll(() => {
  save('open.mesh', medit(ring(2.5)))
  save('closed.mesh', medit(ring(-0.1)))
  const tet = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), tetrahedra: Uint32Array.of(0, 1, 2, 3) }
  save('tet.mesh', medit(tet))
  save('closed.json', spec({ body: 'closed.mesh', modes: 2 }))
  save('stiff.json', spec({ body: 'open.mesh', modes: 2, reach: 0.01 }, { poses: 4000, steps: 100 }))
  save('tet.json', spec({ body: 'tet.mesh', modes: 10 }))
  save('none.json', spec({ body: 'open.mesh', modes: 0 }))
})

const BODIES = 'a tetrahedral mesh, a closed surface, or one of bunny, hand, bracelet, spring, snake'

describe('train --learn self-contact', () => {
  it.each([
    [['bar', '--learn', 'self-contact'], `bar is no body but an object with linear modes; give ${BODIES}.`],
    [['humanoid', '--learn', 'self-contact', '--budget', '1'], 'rounds of a character cannot be cut by a budget'],
    [['none.json'], 'spec: model.modes: should be a whole number from 1 to 64;'],
    [['tet.json'], 'self-contact: 10 modes of a body of 4 nodes; it has 6, ask for no more.'],
    [['closed.json'], 'the body touches itself at rest, triangle '],
    [['stiff.json'], 'codes in the box touches itself; there is nothing to learn. Pull further (model.reach).'],
    [['bracelet', '--method', 'paper', '--budget', '1'], "the paper's iterations"],
  ])('%s', async (words, message) => {
    const { code, stderr } = await runPliant(['train', ...words, '--out', 'x.safetensors', '--quiet'], {
      cwd: folder.path,
    })
    expect(stderr).toContain(message)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(code).toBe(2)
    expect(existsSync(folder.file('x.safetensors'))).toBe(false)
  })
})
