/** Settings in the address, so that what is on show can be shared; `path=press` plays the recorded path. */
import type { HapticsSettings } from './haptics-protocol.js'

const NUMBERS = ['stiffness', 'friction'] as const

export interface HapticsView {
  body?: string
  /** Whether the recorded path is to be played. */
  path: boolean
  settings: Partial<HapticsSettings>
}

/** What is missing or no number is left out; whether a value is in range is for the worker to say. */
export function readHapticsView(parameters: ReadonlyMap<string, string>): HapticsView {
  const settings: Record<string, string | number> = {}
  const field = parameters.get('field')
  if (field) settings['field'] = field
  for (const name of NUMBERS) {
    const value = Number.parseFloat(parameters.get(name) ?? '')
    if (Number.isFinite(value)) settings[name] = value
  }
  const body = parameters.get('body')
  return {
    ...(body && { body }),
    path: parameters.get('path') === 'press',
    settings: settings as Partial<HapticsSettings>,
  }
}

export function writeHapticsView(body: string | undefined, settings: HapticsSettings): Map<string, string> {
  const entries: [string, string][] = body ? [['body', body]] : []
  entries.push(['field', settings.field])
  for (const name of NUMBERS) entries.push([name, String(Number(settings[name].toFixed(3)))])
  return new Map(entries)
}
