/**
 * The search for pairs of triangles whose boxes overlap: entries of the plan one after the other, and of each what lies
 * below those children that overlap, a pair of nodes at a time. Both nodes of a pair are of one level; of both their four
 * children are compared at once, each of one node with all of the other.
 */
import {
  doWhile,
  f32x4,
  type I32,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { CHILDREN } from '../packed-tree.js'
import { ABOVE_CELLS } from '../rule-cells.js'
import { CANDIDATE, ENTRY, LINKS, NODE, TASK, TRIANGLE, WAITING } from './pair-records.js'

export interface SearchKernel {
  /** Goes on until there are enough candidates, or no more. */
  search(task: number): void
}

const ALL_PAIRS = 0xffff

type Word = Local<'i32'>

export function defineSearchKernel(module: ModuleBuilder): void {
  module.define('search', { params: { task: 'i32' }, isExported: true }, ({ task }, scope) => {
    const [entry, end, bottom, top, found, pause, a, b, linksA, linksB] = scope.some(10, 'i32')
    const [asked, overlaps, pair, belowA, belowB, cell, other] = scope.some(7, 'i32')
    const lower = scope.some(3, 'v128')
    const upper = scope.some(3, 'v128')
    const constant = (field: 'nodes' | 'links' | 'triangles' | 'cells' | 'left'): I32 => TASK.load(task.get, field)
    const linksOf = (node: Word): I32 =>
      i32.add(constant('links'), i32.shrU(i32.sub(node.get, constant('nodes')), i32.const(NODE.shift - LINKS.shift)))

    const takeWaiting: Statement[] = [
      increase(top, -WAITING.size),
      a.set(WAITING.load(top.get, 'a')),
      b.set(WAITING.load(top.get, 'b')),
      linksA.set(linksOf(a)),
      linksB.set(linksOf(b)),
      asked.set(i32.const(ALL_PAIRS)),
      cell.set(LINKS.load(linksA.get, 'cell')),
      other.set(LINKS.load(linksB.get, 'cell')),
      when(i32.ltU(cell.get, i32.const(ABOVE_CELLS | 0)), [
        when(i32.ltU(other.get, i32.const(ABOVE_CELLS | 0)), [
          cell.set(i32.add(i32.mul(cell.get, constant('cells')), other.get)),
          other.set(i32.load(i32.add(constant('left'), i32.shl(i32.shrU(cell.get, i32.const(5)), i32.const(2))))),
          when(i32.and(i32.shrU(other.get, cell.get), i32.const(1)), [asked.set(i32.const(0))]),
        ]),
      ]),
    ]
    const takeEntry: Statement[] = [
      a.set(ENTRY.load(entry.get, 'a')),
      b.set(ENTRY.load(entry.get, 'b')),
      asked.set(ENTRY.load(entry.get, 'asked')),
      linksA.set(linksOf(a)),
      linksB.set(linksOf(b)),
      increase(entry, ENTRY.size),
    ]

    const row = (i: number): I32 => i32x4.bitmask(overlapOfChild(a, i, lower, upper))
    const findOverlaps = [
      ...lower.map((value, axis) => value.set(NODE.load(b.get, 'lower', axis))),
      ...upper.map((value, axis) => value.set(NODE.load(b.get, 'upper', axis))),
      overlaps.set(
        i32.and(
          asked.get,
          Array.from({ length: CHILDREN }, (_, i) => i32.shl(row(i), i32.const(CHILDREN * i))).reduce(i32.or),
        ),
      ),
    ]
    /** Writes two addresses for each pair that overlaps: of what is below both nodes, so many bytes one after the other. */
    const writeOverlaps = (to: Word, layout: typeof WAITING, bytes: number): Statement =>
      doWhile(
        [
          pair.set(i32.ctz(overlaps.get)),
          overlaps.set(i32.and(overlaps.get, i32.sub(overlaps.get, i32.const(1)))),
          layout.store(to.get, 'a', i32.add(belowA.get, i32.mul(i32.shrU(pair.get, i32.const(2)), i32.const(bytes)))),
          layout.store(to.get, 'b', i32.add(belowB.get, i32.mul(i32.and(pair.get, i32.const(3)), i32.const(bytes)))),
          increase(to, layout.size),
        ],
        overlaps.get,
      )
    const trianglesOf = (leaf: Word): I32 => {
      const shift = NODE.shift - Math.log2(CHILDREN * TRIANGLE.size)
      return i32.add(constant('triangles'), i32.shrU(i32.sub(leaf.get, constant('nodes')), i32.const(shift)))
    }
    return [
      entry.set(TASK.load(task.get, 'entry')),
      end.set(TASK.load(task.get, 'end')),
      bottom.set(TASK.load(task.get, 'stack')),
      top.set(TASK.load(task.get, 'top')),
      found.set(TASK.load(task.get, 'found')),
      pause.set(TASK.load(task.get, 'pause')),
      whileLoop(
        i32.and(i32.or(i32.ltU(entry.get, end.get), i32.ltU(bottom.get, top.get)), i32.ltU(found.get, pause.get)),
        [
          when(i32.ltU(bottom.get, top.get), takeWaiting, takeEntry),
          ...findOverlaps,
          when(overlaps.get, [
            belowA.set(LINKS.load(linksA.get, 'children')),
            belowB.set(LINKS.load(linksB.get, 'children')),
            when(
              belowA.get,
              [writeOverlaps(top, WAITING, NODE.size)],
              [belowA.set(trianglesOf(a)), belowB.set(trianglesOf(b)), writeOverlaps(found, CANDIDATE, TRIANGLE.size)],
            ),
          ]),
        ],
      ),
      TASK.store(task.get, 'entry', entry.get),
      TASK.store(task.get, 'top', top.get),
      TASK.store(task.get, 'found', found.get),
    ]
  })
}

/** Which of four boxes overlap that of one of a node's children. */
function overlapOfChild(
  node: Word,
  child: number,
  lower: readonly Local<'v128'>[],
  upper: readonly Local<'v128'>[],
): V128 {
  const end = (field: 'lower' | 'upper', axis: number): V128 =>
    v128.loadSplat(node.get, NODE.at[field] + 16 * axis + 4 * child)
  return [0, 1, 2]
    .flatMap((axis) => [f32x4.le(end('lower', axis), upper[axis].get), f32x4.ge(end('upper', axis), lower[axis].get)])
    .reduce(v128.and)
}
