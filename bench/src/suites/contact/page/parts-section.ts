/** Bodies in oriented boxes, and what contact by them misses: the paper's decomposition and its ablation (section 5.3). */
import { count, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { type BoxesResult, boxedBodies, boxesResult, measureBody, type NamedBody } from '../boxes/measure-boxes.js'
import { QUICK_BOXES } from '../boxes/surface-boxes.js'
import type { PairsResult } from '../random-pairs.js'
import type { SceneFiles } from '../scenes/bodies.js'
import { boxesTable } from '../text/boxes.js'
import { pairsTable } from '../text/pairs.js'
import { drawBoxes } from './box-pictures.js'

export interface DrawnBoxes {
  result: BoxesResult
  /** SVG of each body, of each way to cut. */
  pictures: { body: string; method: string; svg: string }[]
}

/** Scanned bodies, and shapes that one box holds badly. */
const DRAWN = ['bunny', 'armadillo', 'torus', 'mug', 'dumbbell', 'corner']
/** Pixels along the height. */
const PICTURE = { full: 300, quick: 220 } as const

/** @param tell  given how many bodies there are, what hears how many are done */
export async function cutAndDraw(
  { quick = false, scenes }: { quick?: boolean; scenes?: SceneFiles },
  tell: (bodies: number) => (done: number) => Promise<void>,
): Promise<DrawnBoxes> {
  const bodies = (await boxedBodies(scenes)).filter(({ body }) => DRAWN.includes(body))
  const told = tell(bodies.length)
  const drawn: DrawnBoxes = { result: boxesResult([]), pictures: [] }
  for (const [i, body] of bodies.sort(inOrder).entries()) {
    await told(i)
    const boxes = new Map()
    drawn.result.cuts.push(...measureBody(body, quick ? QUICK_BOXES : {}, (method, found) => boxes.set(method, found)))
    for (const [method, svg] of drawBoxes(body, boxes, quick ? PICTURE.quick : PICTURE.full)) {
      drawn.pictures.push({ body: body.body, method, svg })
    }
  }
  return drawn
}

const inOrder = (a: NamedBody, b: NamedBody): number => DRAWN.indexOf(a.body) - DRAWN.indexOf(b.body)

export function boxesSection({ result, pictures }: DrawnBoxes): PageSection {
  const figures = pictures.map(({ body, method, svg }) => renderFigure(svg, `${body}, ${method}`)).join('')
  const { head, rows } = boxesTable(result)
  const text = `<p>Every point of a surface that was cut (${count(result.cells)} a side) is in a box; what a finer sampling of ${count(result.judgedCells)} a side has in none is left out of “hold”. Boxes are in front of the body, whose surface shows through.</p>`
  const caption =
    'how many boxes and the sum of their volumes over that of the body (over that of the one box around it), the room that they take together, over the body’s'
  return {
    title: 'Bodies in oriented boxes (section 4.1)',
    body: `${text}<div class="row">${figures}</div>${renderTable(head, rows, caption)}`,
  }
}

export function ablationSection(pairs: PairsResult): PageSection {
  const { head, rows } = pairsTable(pairs)
  const text = `<p>${count(pairs.shapes)} shapes against each other in ${count(pairs.poses)} random poses, of which ${count(pairs.touching)} are proved to touch and ${count(pairs.free)} not to; the other ${count(pairs.undecided)} are nearer to touching than is proved. The paper halves the one box around a body four times; boxes of parts are halved three times, which makes cells as large.</p>`
  const caption = "depths as shares of the smaller body's diagonal, of all that touch and were found"
  return {
    title: 'With and without decomposition (section 5.3)',
    body: text + renderTable(head, rows, caption),
  }
}
