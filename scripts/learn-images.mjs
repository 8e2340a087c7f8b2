/**
 * Signed distances of binary images, learned from signs alone (docs/notes/self-contact-images.md): prints the figures of both
 * methods. Build first; minutes for each image on a quiet machine, seconds with --quick.
 *
 * Usage: node scripts/learn-images.mjs [--png FILE] [--quick] [--iterations N] [--ours JSON] [--page OUT.html]
 *   --png         a picture of yours in place of the two drawn in code; may be given more than once
 *   --iterations  of each pass of the paper's method (default 500, as in the paper)
 *   --ours        options of our learner that differ, such as '{"detail":1}'
 *   --page        the section of the report, as a page of its own
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { renderPage } from '../bench/dist/pages/page.js'
import { imageSection } from '../bench/dist/suites/cspace/images/image-section.js'
import { learnImages } from '../bench/dist/suites/cspace/images/learn-images.js'
import { readPng } from '../bench/dist/suites/cspace/images/read-png.js'

const { values: options } = parseArgs({
  options: {
    png: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    iterations: { type: 'string' },
    ours: { type: 'string', default: '{}' },
    page: { type: 'string' },
  },
})

const iterations = options.iterations && Number(options.iterations)
const images = await learnImages({
  images: options.png?.map((path) => readPng(readFileSync(path), basename(path))),
  quick: options.quick,
  ours: JSON.parse(options.ours),
  ...(iterations && { paper: { iterations: [iterations, iterations] } }),
})
console.table(
  images.flatMap(({ rows }) => rows.map(({ field, distanceError, ...row }) => ({ ...row, ...distanceError }))),
)
if (options.page) {
  const lead = 'Cai et al., section 6.2.1, measured again.'
  writeFileSync(
    options.page,
    renderPage({ title: 'Binary images', lead, sections: [imageSection(images)], footer: '' }),
  )
}
