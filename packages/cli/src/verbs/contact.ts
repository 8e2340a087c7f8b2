/** `pliant contact`: where bodies of a scene touch, whatever each of them is made of. */
import { dirname } from 'node:path'
import { filesOf, formBodies } from '../contact/bodies.js'
import { deepestOf, findContacts, type Method } from '../contact/find.js'
import { readScene } from '../contact/scene.js'
import { contactsCsv, pairsText } from '../contact/text.js'
import { UsageError } from '../errors.js'
import { checkWritable, TYPED_FILES, writeBeside } from '../files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import type { Verb } from '../verb.js'

/** Of a pair. */
const CONTACTS = 8

export const contact: Verb = {
  name: 'contact',
  summary: 'contact between the bodies of a scene, each a field of any kind: shapes, meshes, voxels, trained files',
  operands: [{ name: 'SCENE.json', help: 'bodies and where they are, as docs/contact.md says' }],
  options: {
    gap: { value: 'METRES', help: "bodies this far apart still have contacts (default: the scene's, or 0)" },
    'max-contacts': { value: 'N', help: `contacts of a pair at most (default ${CONTACTS})` },
    method: {
      value: 'NAME',
      choices: ['ours', 'paper'],
      help: 'how contacts are found: ours (default), or as Liu et al. 2024 publish it, for comparison',
    },
    out: { value: 'FILE.csv', help: 'receives all contacts, one row each' },
  },
  examples: [
    'pliant contact examples/contact/scene.json',
    'pliant contact examples/contact/scene.json --gap 0.01 --max-contacts 4 --out contacts.csv --json',
  ],
  json: {
    bodies: 'one for each: { name, kind: shape, mesh, voxels or learned, margin [m], and what is known of its field }',
    frames: 'how many moments the scene has',
    touching: 'whether any contact has a separation below zero',
    pairs:
      'of each pair in contact, the deepest of a frame first: { frame, a, b, contacts, unanswered: points at which a field told no number }; of each contact, the deepest first: { pointA, pointB [m, world], normal (unit, from A to B), separation [m, negative: depth], area [m^2], limit: none, band, nested, room or slope, id: the same number from frame to frame }',
    contacts: 'how many there are in all pairs',
    deepest: 'least separation of all [m]; null without a contact',
    near: 'pairs that came near each other, over all frames',
    endless: 'of these, pairs of two bodies without an end, which were not met',
    method: 'how contacts were found',
    gap: 'distance up to which there are contacts [m]',
    seconds: 'time of the search, without reading bodies; it includes finding points of their surfaces',
    files: 'files written',
  },
  notes:
    "Where a separation is not all there is to say, the contact's limit says why: docs/contact.md. Contacts or none, the exit code is 0.",
  async run(call) {
    const { args } = call
    const [path] = args.operands
    const out = args.text('out')
    const method = (args.text('method') ?? 'ours') as Method
    const maxContacts = args.integer('max-contacts', { lower: 1, upper: 1000 }) ?? CONTACTS
    const wanted = args.number('gap', { lower: 0 })
    const scene = readScene(path, await TYPED_FILES.json(path))
    if (out !== undefined) await checkWritable([out], [path, ...filesOf(dirname(path), scene.bodies)])
    const gap = wanted ?? scene.gap ?? 0
    const margins = scene.bodies.some(({ margin }) => margin > 0)
    if (method === 'paper' && (gap > 0 || margins)) {
      throw new UsageError(
        "contact: the paper's method has neither gap nor margins; leave them out, or --method paper.",
      )
    }
    const bodies = await formBodies(path, dirname(path), scene.bodies, call)
    const start = performance.now()
    const { pairs, near, endless } = await findContacts(path, bodies, scene.frames, { method, gap, maxContacts }, call)
    const seconds = (performance.now() - start) / 1000
    if (out !== undefined) await writeBeside(out, new TextEncoder().encode(contactsCsv(pairs)))

    const contacts = pairs.reduce((sum, pair) => sum + pair.contacts.length, 0)
    const least = pairs.reduce((deepest, pair) => Math.min(deepest, deepestOf(pair)), Infinity)
    const deepest = least < Infinity ? least : null
    const files = out === undefined ? [] : [out]
    const rows: [string, string][] = bodies.length > SHOWN_BODIES ? [['bodies', formatCount(bodies.length)]] : []
    if (bodies.length <= SHOWN_BODIES) for (const { name, form } of bodies) rows.push([name, form.text])
    rows.push([
      'contacts',
      `${formatCount(contacts)} in ${formatCount(pairs.length)} of ${formatCount(near)} pairs that come near`,
    ])
    if (deepest !== null) rows.push(['deepest', `${formatNumber(deepest)} m`])
    if (endless > 0) rows.push(['not met', `${formatCount(endless)} pairs of two bodies without an end`])
    for (const warning of new Set(bodies.flatMap(({ form }) => form.warnings))) rows.push(['warning', warning])
    rows.push(['time', formatSeconds(seconds)])
    if (out !== undefined) rows.push(['written', out])
    const json = {
      bodies: bodies.map(({ name, form, margin }) => ({ name, ...form.json, margin })),
      ...{ frames: scene.frames, touching: deepest !== null && deepest < 0, pairs, contacts, deepest, near, endless },
      ...{ method, gap, seconds, files },
    }
    return { json, text: [labelled(rows), pairsText(pairs, scene.frames)].filter((part) => part !== '').join('\n\n') }
  },
}

/** More are counted, not listed. */
const SHOWN_BODIES = 20
