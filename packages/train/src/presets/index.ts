/** The built-in objects and characters: `pliant presets` lists them, `pliant train NAME` takes them. */

import type { LinearModes, TetMesh } from 'pliant'
import type { Rig } from 'pliant/character'
import { ELASTIC_BODY_DEFAULTS } from '../modes/elastic-body.js'
import { bunnySurface } from '../tets/bunny-surface.js'
import { tetrahedralise } from '../tets/tetrahedralise.js'
import { BAR_CODE_NAMES, makeBar } from './bar.js'
import { makeHand } from './hand/index.js'
import { HUMANOID_HELD_OUT, humanoidGlb, humanoidRig, humanoidScene } from './humanoid/index.js'
import { makeBracelet, makeSnake, makeSpring } from './swept/index.js'

export interface Preset {
  name: string
  summary: string
  codeNames: string[]
  /** On two cores. */
  trainsIn: string
  make(): LinearModes
}

export interface CharacterPreset {
  name: string
  summary: string
  /** Entries of the joint code that its clips give. */
  codeSize: number
  /** On two cores. */
  trainsIn: string
  /** Names of clips that are never trained on, but judged by. */
  heldOut: readonly string[]
  /** Of its static grids, where it departs from the default. */
  resolution?: number
  make(): Promise<Rig>
  /** The same as a glTF file, with normals and a material. */
  glb(): Promise<Uint8Array<ArrayBuffer>>
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

export const CHARACTER_PRESETS: readonly CharacterPreset[] = [
  {
    name: 'humanoid',
    summary: 'a figure of 1.75 m with 21 joints that walks, runs, squats, kicks and dances: 15,372 triangles',
    codeSize: 35,
    trainsIn: 'under ten minutes',
    heldOut: HUMANOID_HELD_OUT,
    // Smooth parts need no finer grids, and its file stays below 1 MB.
    resolution: 16,
    make: humanoidRig,
    glb: async () => humanoidGlb(await humanoidScene()),
  },
]

export interface BodyPreset {
  name: string
  summary: string
  codeSize: number
  trainsIn: string
  /** How far somebody pulls at it, as a share of its diagonal, where self-contact is learned of it. */
  reach?: number
  make(): Promise<TetMesh>
}

/** As the haptics paper's: 1,883. */
const BUNNY_NODES = 1900

/** Elastic bodies, made to be touched. */
export const BODY_PRESETS: readonly BodyPreset[] = [
  {
    name: 'bunny',
    summary: 'the Stanford bunny as an elastic body: 1,900 nodes, 3,040 triangles outside, 48 modes',
    codeSize: ELASTIC_BODY_DEFAULTS.modes.poses,
    trainsIn: 'under twenty minutes',
    reach: 0.2,
    make: async () => (await tetrahedralise(bunnySurface(), { nodes: BUNNY_NODES })).mesh,
  },
  {
    name: 'hand',
    summary: 'a soft hand to touch with, an elastic body: 472 nodes, 840 triangles outside, 48 modes',
    codeSize: ELASTIC_BODY_DEFAULTS.modes.poses,
    trainsIn: 'under twenty minutes',
    make: makeHand,
  },
]

export type ContactPreset = BodyPreset & Required<Pick<BodyPreset, 'reach'>>

/** Of a body whose self-contact is learned, unless a spec says otherwise. */
export const CONTACT_MODES = 3

/**
 * Bodies that touch themselves when they bend. Reaches are such that the paper's network gets some 95% of codes right at 7
 * modes, as it does of the paper's own bodies (docs/notes/self-contact-learning.md).
 */
export const CONTACT_PRESETS: readonly ContactPreset[] = [
  {
    name: 'bracelet',
    summary: 'an open ring that bends until it touches itself: 1,296 triangles, self-contact of 3 modes',
    codeSize: CONTACT_MODES,
    trainsIn: 'under three minutes',
    reach: 0.3,
    make: async () => makeBracelet(),
  },
  {
    name: 'spring',
    summary: 'a helix of four turns that touch each other: 2,064 triangles, self-contact of 3 modes',
    codeSize: CONTACT_MODES,
    trainsIn: 'under three minutes',
    reach: 0.12,
    make: async () => makeSpring(),
  },
  {
    name: 'snake',
    summary: 'a snake that lies coiled: 2,064 triangles, self-contact of 3 modes',
    codeSize: CONTACT_MODES,
    trainsIn: 'under three minutes',
    reach: 0.08,
    make: async () => makeSnake(),
  },
]

export function findContactPreset(name: string): ContactPreset | undefined {
  return CONTACT_PRESETS.find((preset) => preset.name === name)
}

export function findBodyPreset(name: string): BodyPreset | undefined {
  return BODY_PRESETS.find((preset) => preset.name === name)
}

export function findPreset(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name)
}

export function findCharacterPreset(name: string): CharacterPreset | undefined {
  return CHARACTER_PRESETS.find((preset) => preset.name === name)
}

/** The built-in objects and characters. @returns one line per built-in object and character */
export function listPresets(): { name: string; summary: string; codeSize: number; trainsIn: string }[] {
  const modes = PRESETS.map((preset) => ({ ...preset, codeSize: preset.codeNames.length }))
  return [...modes, ...BODY_PRESETS, ...CONTACT_PRESETS, ...CHARACTER_PRESETS].map(
    ({ name, summary, codeSize, trainsIn }) => ({
      name,
      summary,
      codeSize,
      trainsIn,
    }),
  )
}
