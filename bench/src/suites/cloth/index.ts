/** Cloth on a skinned character: what we claim of it, and the paper's section 4.2. */
import type { CharacterGiven } from '../../inputs/character.js'
import { CHARACTER_OPTIONS, PAPER_OPTION } from '../../inputs/options.js'
import type { Suite } from '../../suite/suite.js'
import { clothHeadline, clothMarkdown } from './markdown.js'
import type { ClothBenchResult } from './run.js'
import { clothTables } from './table.js'

export const cloth: Suite<CharacterGiven, ClothBenchResult> = {
  name: 'cloth',
  summary: 'cloth on a skinned character',
  inputs: {
    options: {
      ...CHARACTER_OPTIONS,
      motion: {
        value: 'FILE',
        help: '.bvh or glTF motions of the character, comma-separated; it is evaluated on those it was not trained on, the hardest is quoted',
      },
      paper: PAPER_OPTION,
    },
    readsMotions: true,
    read: async (values, reader) => (await import('../../inputs/character.js')).readCharacter(values, reader, 'unseen'),
  },
  run: async (options) => (await import('./run.js')).benchCloth(options),
  table: clothTables,
  markdown: clothMarkdown,
  headline: clothHeadline,
  page: {
    summary: 'on a skinned character, by joint angles',
    run: async (options) => (await import('./page.js')).reproduceCloth(options),
  },
}
