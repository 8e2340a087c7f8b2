/** Methods raced along motions of two bodies, in documents. */
import { markdownTable, percent, round, whole } from '../../../report/markdown.js'
import type { RaceResult } from '../scenes/race.js'
import { milliseconds } from './numbers.js'

export function racesText(races: readonly RaceResult[]): string {
  return races.map(raceText).join('\n\n')
}

function raceText({ scene, frames, touching, free, triangles, size, methods }: RaceResult): string {
  const rows = methods.map((each) => [
    each.oneSided ? `${each.method} *` : each.method,
    ...[each.touching, each.free].map(({ median, p95 }) => `${milliseconds(median)} / ${milliseconds(p95)}`),
    `${whole(each.missed)}`,
    whole(each.madeUp),
    `${percent(each.depth.mean, 2)} / ${percent(each.depth.largest, 2)}`,
    whole(each.depth.offBy),
    `${round((each.bytes.body + each.bytes.beside) / 1e6, 2)}`,
  ])
  const head = [
    'method',
    'ms in contact: median / 95%',
    'out of it',
    'missed',
    'made up',
    'depth off: mean / largest',
    'off by over .5%',
    'MB',
  ]
  const against = triangles.tool > 0 ? ` against ${whole(triangles.tool)}` : ''
  return `**${scene[0].toUpperCase()}${scene.slice(1)}**, ${whole(frames)} frames of a tool that approaches, grazes, goes deep, slides and leaves: ${whole(touching)} are proved to touch, ${whole(free)} not to; ${whole(triangles.body)} triangles${against}; shares of the smaller diagonal (${round(size, 3)} m); one thread, the least of several rounds in shuffled turns. With * only points of one body are told, and held to how deep these are.\n\n${markdownTable(head, rows)}`
}
