/** `pliant presets`: the built-in objects and characters, and the characters as glTF files. */
import { UsageError } from '../errors.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatBytes, formatCount, table } from '../format.js'
import type { Verb } from '../verb.js'

export const presets: Verb = {
  name: 'presets',
  summary: 'lists the built-in objects and characters that `train` knows by name',
  operands: [],
  options: {
    glb: { value: 'NAME', help: 'write this character, its skin and its clips, as a glTF file instead' },
    out: { value: 'FILE', help: 'where --glb goes (default: NAME.glb)' },
  },
  examples: ['pliant presets', 'pliant presets --glb humanoid'],
  json: {
    presets: 'list of { name, summary, codeSize, trainsIn }',
    file: 'path of the glTF file; null without --glb',
  },
  async run({ args }) {
    const { findCharacterPreset, listPresets } = await import('@pliant/train/unstable')
    const list = listPresets()
    const name = args.text('glb')
    if (name === undefined) {
      if (args.has('out')) throw new UsageError('presets: --out is for --glb; name a character too.')
      const rows = list.map(({ name, summary, codeSize, trainsIn }) => [name, formatCount(codeSize), trainsIn, summary])
      return { json: { presets: list, file: null }, text: table(['name', 'code', 'trains in', 'what it is'], rows) }
    }
    const preset = findCharacterPreset(name)
    if (!preset) throw new UsageError(`presets: '${name}' is no built-in character; see 'pliant presets'.`)
    const file = args.text('out') ?? `${name}.glb`
    await checkWritable([file], [])
    const bytes = await preset.glb()
    await writeBeside(file, bytes)
    return { json: { presets: list, file }, text: `${file}: ${formatBytes(bytes.length)}` }
  },
}
