/** The built-in objects: `pliant presets` lists them, `pliant train NAME` takes them. */
import type { LinearModes } from 'pliant'
import { BAR_CODE_NAMES, makeBar } from './bar.js'

export interface Preset {
  name: string
  summary: string
  codeNames: string[]
  /** On two cores. */
  trainsIn: string
  make(): LinearModes
}

export const PRESETS: readonly Preset[] = [
  {
    name: 'bar',
    summary: 'a dumbbell that bends, sways and twists: three linear modes, 3,008 triangles',
    codeNames: BAR_CODE_NAMES,
    trainsIn: 'under two minutes',
    make: makeBar,
  },
]

export function findPreset(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name)
}

/** @returns one line per built-in object */
export function listPresets(): { name: string; summary: string; codeSize: number; trainsIn: string }[] {
  return PRESETS.map(({ name, summary, codeNames, trainsIn }) => ({
    name,
    summary,
    codeSize: codeNames.length,
    trainsIn,
  }))
}
