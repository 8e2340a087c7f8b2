/** `pliant self-collide`: whether and where a mesh meets itself, exactly. */
import { npyBytes } from '../arrays.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import { readSurface } from '../surface.js'
import type { Verb } from '../verb.js'

/** The search ends with so many. */
const MOST_PAIRS = 1_000_000

export const selfCollide: Verb = {
  name: 'self-collide',
  summary: 'exact self-intersection of a mesh: pairs of triangles that share no vertex and have a point in common',
  operands: [{ name: 'MESH', help: 'a mesh; of a glTF file all triangles, of tetrahedra their surface' }],
  options: {
    depth: { help: 'also say how deep the pairs penetrate' },
    pairs: {
      value: 'OUT.npy',
      help: `receives the pairs of triangle numbers, uint32, shape [n, 2], at most ${formatCount(MOST_PAIRS)}`,
    },
    weld: { help: 'corners at equal positions count as one vertex, not only equal vertex numbers' },
  },
  examples: ['pliant self-collide hand.obj --depth --json'],
  json: {
    colliding: 'whether any pair meets',
    pairs: `number of pairs; ${formatCount(MOST_PAIRS)} if there are more`,
    truncated: 'whether there are more pairs, so that all figures are of those found first',
    depth: 'sum of the penetration depths over all pairs [m]; null without --depth',
    maxDepth: 'largest of them [m]; null without --depth',
    triangles: 'number of triangles of the mesh',
    seconds: 'time of the search alone',
  },
  notes:
    'The depth of a pair: how far the deepest corner of each triangle lies behind the other, and of the two the smaller.',
  async run({ args, progress, unbroken }) {
    const [path] = args.operands
    const out = args.text('pairs')
    if (out !== undefined) await checkWritable([out], [path])
    const mesh = await unbroken(() => readSurface(path))
    const { SelfIntersection } = await import('pliant/exact')
    const start = performance.now()
    const found = unbroken(() =>
      new SelfIntersection(mesh, { weld: args.has('weld') }).pairs({ limit: MOST_PAIRS, onProgress: progress.update }),
    )
    const seconds = (performance.now() - start) / 1000
    const { pairs, depths, truncated } = found
    const count = depths.length
    if (out !== undefined) await writeBeside(out, npyBytes(pairs, [count, 2]))

    const triangles = mesh.triangles.length / 3
    const depth = args.has('depth') ? depths.reduce((sum, one) => sum + one, 0) : null
    const maxDepth = args.has('depth') ? depths.reduce((largest, one) => Math.max(largest, one), 0) : null
    const rows: [string, string][] = [
      [
        'colliding',
        count > 0
          ? `yes, ${truncated ? 'more than ' : ''}${formatCount(count)} pairs of ${formatCount(triangles)} triangles`
          : 'no',
      ],
      ['time', formatSeconds(seconds)],
    ]
    if (depth !== null && maxDepth !== null) {
      rows.push(['depth', `${formatNumber(depth)} m in all, ${formatNumber(maxDepth)} m at most`])
    }
    if (out !== undefined) rows.push(['written', out])
    const json = { colliding: count > 0, pairs: count, truncated, depth, maxDepth, triangles, seconds }
    return { json, text: labelled(rows) }
  },
}
