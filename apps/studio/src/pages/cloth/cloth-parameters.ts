/** Settings in the address, so that what is on show can be shared. */
import type { ClothSettings } from './cloth-protocol.js'

const NUMBERS = ['speed', 'wind', 'windFrom'] as const
const WORDS = ['clip', 'garment', 'collision'] as const

export interface ClothView {
  character?: string
  settings: Partial<ClothSettings>
}

/** What is missing or no number is left out; whether a clip or garment exists is for the worker to say. */
export function readClothView(parameters: ReadonlyMap<string, string>): ClothView {
  const settings: Record<string, string | number> = {}
  for (const name of WORDS) {
    const value = parameters.get(name)
    if (value) settings[name] = value
  }
  for (const name of NUMBERS) {
    const value = Number.parseFloat(parameters.get(name) ?? '')
    if (Number.isFinite(value)) settings[name] = value
  }
  const character = parameters.get('character')
  return { ...(character && { character }), settings: settings as Partial<ClothSettings> }
}

export function writeClothView(character: string | undefined, settings: ClothSettings): Map<string, string> {
  const entries: [string, string][] = character ? [['character', character]] : []
  for (const name of WORDS) entries.push([name, settings[name]])
  for (const name of NUMBERS) entries.push([name, String(Number(settings[name].toFixed(3)))])
  return new Map(entries)
}
