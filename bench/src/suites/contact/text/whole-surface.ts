/** Cloth met all over its surface, in documents. */
import { markdownTable, round, whole } from '../../../report/markdown.js'
import type { WholeSurfaceResult } from '../whole-surface.js'

export function wholeSurfaceText({ scenes }: WholeSurfaceResult): string {
  const rows = scenes.flatMap(({ name, rows }) =>
    rows.map(({ contact, step, queries, deepest, pierced }) => [
      name,
      `'${contact}'`,
      pierced === undefined ? '' : whole(pierced),
      round(1000 * deepest, 2),
      round(step, 2),
      whole(queries),
    ]),
  )
  const head = [
    'falls on',
    '`contact`',
    'triangles pierced',
    'deepest place [mm]',
    'frame [ms]',
    'points asked a frame',
  ]
  const passes = scenes.map(
    ({ name, pass }) =>
      `${name}: ${round(pass.surface, 2)} ms for ${whole(pass.surfaceQueries)} points (${whole(pass.found)} contacts found), beside ${round(pass.vertices, 2)} ms for all ${whole(pass.vertexQueries)} vertices`,
  )
  const { vertices, frames, spacing } = scenes[0]!
  return `**Cloth over its whole surface**: a sheet of ${whole(vertices)} vertices, ${round(1000 * spacing, 2)} mm apart, falls on a pole of 10 mm and on the built-in humanoid (exact distances), ${whole(frames)} frames; the sheet keeps 4 mm away.\n\n${markdownTable(head, rows)}\n\nOne search of the surface, of sheets as they lay: ${passes.join('; ')}.`
}
