/** Contact between fields: judged against numbers that are proved, beside the paper's method and rivals. */
import { figuresText } from '@pliant/train/unstable/text'
import type { Suite } from '../../suite/suite.js'
import { readContact } from './inputs.js'
import { contactMarkdown } from './markdown.js'
import { type ContactBenchResult, type ContactGiven, PART_SHARES } from './parts.js'

export const contact: Suite<ContactGiven, ContactBenchResult> = {
  name: 'contact',
  summary: 'contact between two fields: missed, made up, how exact',
  inputs: {
    options: {
      parts: {
        value: 'NAMES',
        help: `what to measure, comma-separated (default all): ${Object.keys(PART_SHARES).join(', ')}`,
      },
      poses: { value: 'COUNT', help: 'poses of the twenty shapes (default 10,000; with --quick 100)' },
      seed: { value: 'SEED', help: 'of the poses (default 1)' },
    },
    read: readContact,
  },
  run: async (options) => (await import('./run.js')).benchContact(options),
  table: figuresText,
  markdown: contactMarkdown,
  parts: Object.keys(PART_SHARES),
  page: {
    name: 'sdf',
    summary: 'contact between two fields',
    inputs: {
      options: {
        poses: { value: 'COUNT', help: 'poses of the twenty shapes (default 300; with --quick 50)' },
        seed: { value: 'SEED', help: 'of poses, scenes and piles (default 1)' },
      },
      read: readContact,
    },
    run: async (options) => (await import('./page/reproduce.js')).reproduceContact(options),
  },
}
