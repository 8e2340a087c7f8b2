/**
 * Small files that ask for much. What is counted here is what they were allowed to draw, not time: the command line's
 * own test runs them in a process with 1 GB.
 */
import { describe, expect, test } from 'vitest'
import { readBvhMotion } from '../../src/files/bvh-motion.js'
import { DecodeBudget } from '../../src/files/decode-budget.js'
import { FileError } from '../../src/files/file-error.js'
import { readMeshFile } from '../../src/files/read-mesh.js'
import { blankBvh, hostileFiles } from './hostile-files.js'
import { text } from './samples.js'

describe.each(hostileFiles())('$name', ({ name, bytes, refused }) => {
  test(refused ? 'is refused in one line before it takes more than the file may' : 'is read', async () => {
    const outcome = await readMeshFile(name, bytes).catch((error: unknown) => error)
    if (refused === undefined) expect(outcome).not.toBeInstanceOf(Error)
    else {
      expect(outcome).toBeInstanceOf(FileError)
      expect((outcome as Error).message).toMatch(refused)
    }
  })
})

test('a file may take 64 MB and 32 bytes for each of its own, and not one more', () => {
  const budget = new DecodeBudget('gltf', 1000)
  budget.draw(64_000_000, 'a')
  budget.draw(32_000, 'b')
  expect(budget.drawn).toBe(64_032_000)
  expect(() => budget.draw(1, 'c')).toThrow(
    /^gltf: with c it would take 65 MB of memory, a file of 1000 bytes may take 65; .+\.$/,
  )
})

test("a joint's name is cut from its brace whatever blanks lie between", () => {
  expect(readBvhMotion(blankBvh()).joints[0].name).toBe(`a${' '.repeat(100_000)}b`)
})

test('a Gmsh section with an endless name, whose end would be looked for at every dollar, is refused', async () => {
  const name = `$${'$End'.repeat(200)}`
  const file = text(`$MeshFormat\n2.2 0 8\n$EndMeshFormat\n${name}\n${'$End'.repeat(400)}\n`)
  await expect(readMeshFile('x.msh', file)).rejects.toThrow(/^gmsh: '\$\$End.+ where a section is due; /)
})

test('a NumPy header of a megabyte is refused', async () => {
  const { readNpy } = await import('../../src/files/npy.js')
  const header = new Uint8Array(12 + 1_000_000).fill(32)
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0])
  new DataView(header.buffer).setUint32(8, 1_000_000, true)
  expect(() => readNpy(header)).toThrow(/^npy: the header has 1000000 bytes, at most 65535 are read; /)
})
