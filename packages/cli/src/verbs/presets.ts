/** `pliant presets`: the built-in objects. */
import { formatCount, table } from '../format.js'
import type { Verb } from '../verb.js'

export const presets: Verb = {
  name: 'presets',
  summary: 'lists the built-in objects that `train` knows by name',
  operands: [],
  options: {},
  examples: ['pliant presets'],
  json: { presets: 'list of { name, summary, codeSize, trainsIn }' },
  async run() {
    const { listPresets } = await import('@pliant/train')
    const list = listPresets()
    const rows = list.map(({ name, summary, codeSize, trainsIn }) => [name, formatCount(codeSize), trainsIn, summary])
    return { json: { presets: list }, text: table(['name', 'code', 'trains in', 'what it is'], rows) }
  },
}
