/** Hands and feet of a character whose joints' names do not tell, as they are named on the command line. */
import type { LimbEnds } from 'pliant/sim'

export const JOINTS_OPTION = {
  value: 'LIST',
  help: 'which joints are hands and feet where their names do not say so: hand=NAME,hand=NAME,foot=NAME,...',
} as const

/** @throws Error if the text is not such as `hand=wrist.l,hand=wrist.r,foot=ankle.l` */
export function readLimbEnds(text: string): LimbEnds {
  const ends: Record<'hand' | 'foot', string[]> = { hand: [], foot: [] }
  for (const entry of text.split(',')) {
    const [, part, name] = /^\s*(hand|foot)\s*=\s*(.+?)\s*$/.exec(entry) ?? []
    if (part === undefined) {
      throw new Error(`--joints has '${entry}'; write hand=NAME or foot=NAME, one for each, separated by commas.`)
    }
    ends[part as 'hand' | 'foot'].push(name)
  }
  return Object.fromEntries(Object.entries(ends).filter(([, names]) => names.length > 0))
}
