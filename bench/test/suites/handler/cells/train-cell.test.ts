/** Cells of a small mesh: a strip that bends in its middle until its arms cross, in a space that is learned once for all methods. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CellRun } from '../../../../src/cells/run-cells.js'
import { parseCells } from '../../../../src/suites/handler/cells/cell-name.js'
import { shapeSubject } from '../../../../src/suites/handler/cells/subjects.js'
import { trainHandlerCell } from '../../../../src/suites/handler/cells/train-cell.js'

const work = mkdtempSync(join(tmpdir(), 'pliant-handler-cells-'))
afterAll(() => rmSync(work, { recursive: true }))

const [LONG, WIDE] = [40, 4]

/** @param turn  between its arms [rad], which cross beyond pi; the other end is pushed a little to the side */
function strip(turn: number, side: number): Float32Array {
  const out: number[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i < LONG; i++) {
    for (let k = 0; k < WIDE; k++) out.push(x, y, 0.05 * k + (side * i) / LONG)
    const angle = turn * Math.min(1, Math.max(0, i / 12 - 1.2))
    x += 0.05 * Math.cos(angle)
    y += 0.05 * Math.sin(angle)
  }
  return Float32Array.from(out)
}

function stripTriangles(): Uint32Array {
  const out: number[] = []
  for (let i = 0; i + 1 < LONG; i++) {
    for (let k = 0; k + 1 < WIDE; k++) {
      const a = i * WIDE + k
      out.push(a, a + WIDE, a + 1, a + 1, a + WIDE, a + WIDE + 1)
    }
  }
  return Uint32Array.from(out)
}

const SHAPES = Array.from({ length: 24 }, (_, i) => strip((i * 4.6) / 23, 0.04 * Math.sin(5 * i)))

const run: CellRun = {
  ...{ work, quick: true, threads: 1 },
  origin: {
    date: '2026-01-02',
    machine: { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' },
    commit: null,
  },
}
const open: Parameters<typeof trainHandlerCell>[3] = ({ seed }, { threads }) =>
  shapeSubject(
    { shapes: SHAPES, triangles: stripTriangles() },
    { domains: 2, domainCode: 2, steps: 20 },
    { seed, threads, workers: 1, checkpointPath: join(work, 'strip-space'), resume: true },
  )

describe('a cell', () => {
  it('is judged on the same codes by any method, from no more labels than the budget, and leaves its file and the space', async () => {
    const trained = (name: string) => trainHandlerCell(parseCells(name)[0], run, { codes: 200, repairs: 3 }, open)
    const paper = await trained('skirt-supv-bd')
    const ours = await trained('skirt-ours')
    expect(paper).toMatchObject({ subject: 'skirt', method: 'supv-bd', labels: 300, vertices: LONG * WIDE })
    expect(ours.labels).toBe(300)
    expect(ours.touchingShare).toBe(paper.touchingShare)
    expect(ours.touchingShare).toBeGreaterThan(0)
    expect(ours.codeSize).toBe(paper.codeSize)
    expect(ours.specHash).not.toBe(paper.specHash)
    for (const { quality, handling } of [paper, ours]) {
      expect(quality.codes).toBe(200)
      expect(handling.codes).toBe(3)
      // The way home is free, so the exact test finds one.
      expect(handling.checked).toMatchObject({ freed: 1, decreased: 1 })
      expect(handling.believed.tests).toBe(0)
    }
    expect(readdirSync(work).sort()).toEqual([
      'skirt-1-200.signs',
      'skirt-1-300.depths',
      ...['skirt-ours-1.safetensors', 'skirt-supv-bd-1.safetensors', 'strip-space.level-1', 'strip-space.level-2'],
    ])
  }, 60_000)
})
