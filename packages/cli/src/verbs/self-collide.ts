/** `pliant self-collide`: whether and where a mesh meets itself, exactly. */
import { npyBytes } from '../arrays.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import { readSurface } from '../surface.js'
import type { Verb } from '../verb.js'

export const selfCollide: Verb = {
  name: 'self-collide',
  summary: 'exact self-intersection of a mesh: pairs of triangles that share no vertex and have a point in common',
  operands: [{ name: 'MESH', help: 'a mesh; of a glTF file all triangles, of tetrahedra their surface' }],
  options: {
    depth: { help: 'also say how deep the pairs penetrate' },
    pairs: { value: 'OUT.npy', help: 'receives the pairs of triangle numbers, uint32, shape [n, 2]' },
    weld: { help: 'corners at equal positions count as one vertex, not only equal vertex numbers' },
  },
  examples: ['pliant self-collide hand.obj --depth --json'],
  json: {
    colliding: 'whether any pair meets',
    pairs: 'number of pairs',
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
    const mesh = await readSurface(path)
    const { SelfIntersection } = await import('pliant/exact')
    const start = performance.now()
    const onProgress = (fraction: number): void => progress.update({ fraction, stage: 'searching' })
    const { pairs, depths } = unbroken(() => new SelfIntersection(mesh, { weld: args.has('weld') }).pairs(onProgress))
    const seconds = (performance.now() - start) / 1000
    if (out !== undefined) await writeBeside(out, npyBytes(pairs, [depths.length, 2]))

    const count = depths.length
    const triangles = mesh.triangles.length / 3
    const depth = args.has('depth') ? depths.reduce((sum, one) => sum + one, 0) : null
    const maxDepth = args.has('depth') ? depths.reduce((largest, one) => Math.max(largest, one), 0) : null
    const rows: [string, string][] = [
      ['colliding', count > 0 ? `yes, ${formatCount(count)} pairs of ${formatCount(triangles)} triangles` : 'no'],
      ['time', formatSeconds(seconds)],
    ]
    if (depth !== null && maxDepth !== null) {
      rows.push(['depth', `${formatNumber(depth)} m in all, ${formatNumber(maxDepth)} m at most`])
    }
    if (out !== undefined) rows.push(['written', out])
    return { json: { colliding: count > 0, pairs: count, depth, maxDepth, triangles, seconds }, text: labelled(rows) }
  },
}
