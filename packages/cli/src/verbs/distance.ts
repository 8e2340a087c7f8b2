/** `pliant distance`: exact signed distance of points to a mesh. */
import { makeFloats, npyBytes, type Precision, readPoints } from '../arrays.js'
import { inBatches } from '../batches.js'
import { SUMMARY_KEYS, summarise, summaryRows } from '../distance-summary.js'
import { checkWritable, type OutputFile, writeAllBeside } from '../files.js'
import { labelled } from '../format.js'
import { readSurface, SCALE_OPTION, scaleOf } from '../surface.js'
import type { Verb } from '../verb.js'

export const distance: Verb = {
  name: 'distance',
  summary: 'exact signed distance of points to a mesh',
  operands: [{ name: 'MESH', help: 'a mesh; of a glTF file all triangles, of tetrahedra their surface' }],
  options: {
    points: { value: 'P.npy', help: 'points [m], shape [n, 3]', required: true },
    out: { value: 'D.npy', help: 'receives the distances [m], shape [n], negative inside', required: true },
    normals: { value: 'N.npy', help: 'receives unit normals (gradients of the distance), shape [n, 3]' },
    closest: { value: 'C.npy', help: 'receives the closest surface points [m], shape [n, 3]' },
    ...SCALE_OPTION,
    triangles: { value: 'T.npy', help: 'receives the triangle under each closest point, uint32, shape [n]' },
    sign: {
      value: 'RULE',
      choices: ['auto', 'pseudonormal', 'winding'],
      help: 'how inside is told: by the winding number (auto, winding) or by the nearest sheet (pseudonormal)',
    },
    dtype: { value: 'TYPE', choices: ['float32', 'float64'], help: 'of the results (default: as the points)' },
  },
  examples: [
    'pliant distance bunny.obj --points P.npy --out D.npy',
    'pliant distance bunny.obj --points P.npy --out D.npy --normals N.npy --json',
    'pliant distance part.stl --scale 0.001 --points P.npy --out D.npy',
  ],
  json: { ...SUMMARY_KEYS, closed: 'whether the mesh is closed, so that inside is exact', files: 'files written' },
  async run(call) {
    const { args } = call
    const [meshPath] = args.operands
    const pointsPath = args.required('points')
    const outputs = ['out', 'normals', 'closest', 'triangles'].flatMap((name) => args.text(name) ?? [])
    await checkWritable(outputs, [meshPath, pointsPath])
    const points = await call.unbroken(() => readPoints(pointsPath))
    const surface = await call.unbroken(() => readSurface(meshPath, scaleOf(args)))
    const { ExactMeshField } = await import('pliant/exact')
    const sign = (args.text('sign') ?? 'auto') as 'auto' | 'pseudonormal' | 'winding'
    const field = call.unbroken(() => new ExactMeshField(surface, { sign }))

    const { count } = points
    const precision = (args.text('dtype') as Precision | undefined) ?? points.precision
    const distances = makeFloats(precision, count)
    const normals = args.has('normals') ? makeFloats(precision, 3 * count) : undefined
    const closest = args.has('closest') ? makeFloats(precision, 3 * count) : undefined
    const triangles = args.has('triangles') ? new Uint32Array(count) : undefined
    const start = performance.now()
    await inBatches(count, 'measuring distances', call, (from, to) =>
      field.closest(points.data.subarray(3 * from, 3 * to), to - from, {
        distances: distances.subarray(from, to),
        normals: normals?.subarray(3 * from, 3 * to),
        closestPoints: closest?.subarray(3 * from, 3 * to),
        triangleIds: triangles?.subarray(from, to),
      }),
    )
    const summary = summarise(distances, (performance.now() - start) / 1000)

    const files: OutputFile[] = [{ path: args.required('out'), bytes: npyBytes(distances, [count]) }]
    if (normals) files.push({ path: args.required('normals'), bytes: npyBytes(normals, [count, 3]) })
    if (closest) files.push({ path: args.required('closest'), bytes: npyBytes(closest, [count, 3]) })
    if (triangles) files.push({ path: args.required('triangles'), bytes: npyBytes(triangles, [count]) })
    await writeAllBeside(files)
    const rows = summaryRows(summary)
    if (!field.closed)
      rows.push(['warning', `${meshPath} is open; inside is where its winding number exceeds one half`])
    rows.push(['written', outputs.join(', ')])
    return { json: { ...summary, closed: field.closed, files: outputs }, text: labelled(rows) }
  },
}
