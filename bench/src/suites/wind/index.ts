/** A dressed character in gusts: how deep the garment gets into the body. */
import type { CharacterGiven } from '../../inputs/character.js'
import { CHARACTER_OPTIONS } from '../../inputs/options.js'
import type { Suite } from '../../suite/suite.js'
import { windMarkdown } from './markdown.js'
import type { WindBenchResult } from './run.js'
import { windTable } from './table.js'

export const wind: Suite<CharacterGiven, WindBenchResult> = {
  name: 'wind',
  summary: 'cloth in gusts of 12 and 15 m/s, every clip',
  inputs: {
    options: {
      ...CHARACTER_OPTIONS,
      motion: { value: 'FILE', help: '.bvh or glTF motions of the character, comma-separated; all are played' },
    },
    readsMotions: true,
    read: async (values, reader) => (await import('../../inputs/character.js')).readCharacter(values, reader, 'all'),
  },
  run: async (options) => (await import('./run.js')).benchWind(options),
  table: windTable,
  markdown: windMarkdown,
}
