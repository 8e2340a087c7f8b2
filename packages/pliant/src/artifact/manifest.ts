/**
 * The manifest: what a trained artifact is, how its code is made, in which units it works, and how good it was measured
 * to be. It travels as JSON in the container's metadata and is checked field by field before use. Every artifact has
 * the same envelope; what it is made of (`model`) and what answers (`networks`) each name their kind, whose own file
 * checks the rest (./kinds, ./networks), and what depends on what is answered is checked by ./answers.ts.
 */
import { finite, numbers, object, parseManifest, text, wrong } from './checks.js'
import type { NetworkManifest } from './networks/network-kind.js'
import type { Quality } from './quality.js'

/** Raised when a reader of today would misread the file. */
export const FORMAT_VERSION = 2

/** What a thing is made of, and how much of it the file holds. */
export interface ModelManifest {
  /** Name of the kind. */
  kind: string
}

/** What every trained file says of itself, whatever it is of and whatever it answers. */
export interface Envelope<
  Model extends ModelManifest = ModelManifest,
  Networks extends Readonly<Record<string, NetworkManifest>> = Readonly<Record<string, NetworkManifest>>,
> {
  /** Version of the file format. */
  format: number
  /** What its networks answer: the joint that a loaded artifact fits, such as 'signed-distance'. */
  kind: string
  /** What the thing is called. */
  name: string
  /** The code that `update` takes: its size, and the range that was trained. */
  code: {
    /** How many numbers. */
    size: number
    /** One name per entry, for sliders and messages. */
    names: string[]
    /** Range that was trained. */
    lower: number[]
    /** Its upper end. */
    upper: number[]
    /** How the caller gets the code. */
    how: string
  }
  /** What it is made of. */
  model: Model
  /** By what they answer. */
  networks: Networks
  /** How it was trained; the same hash and seed give the same bytes again. */
  training: TrainingManifest
  /** How good it was measured to be, in figures of what it answers; null if its answers were no numbers. */
  quality: object | null
  /** Why the field must not be trusted, in one line; not there if training found nothing wrong. */
  fault?: string
}

/** What a trained file that answers points says of itself: its code, its units, how it was trained and how good it is. */
export interface Manifest<
  Model extends ModelManifest = ModelManifest,
  Network extends NetworkManifest = NetworkManifest,
> extends Envelope<Model, { distance: Network }> {
  /** Signed distances of points [m] (field/signed-field.ts). */
  kind: 'signed-distance'
  /** Distances are learned up to this magnitude [m]. */
  truncation: number
  /** How good it was measured to be; null if its answers were no numbers. */
  quality: Quality | null
}

/** How a file was trained. */
export interface TrainingManifest {
  /** 'pliant' or 'paper'. */
  method: string
  /** Of all randomness. */
  seed: number
  /** Of the spec and the object: the same hash and seed give the same bytes. */
  specHash: string
  /** Optimiser steps taken. */
  steps: number
  /** Poses trained on. */
  poses: number
  /** Exact distances that it learned from. */
  labels: number
}

/**
 * The envelope alone: what kinds say of themselves is not looked at, nor what depends on what is answered.
 * @throws Error naming the first field that is missing or wrong
 */
export function readEnvelope(json: string): Envelope {
  const value = parseManifest(json)
  const root = object(value, 'manifest')
  const format = root['format']
  if (!Number.isInteger(format) || (format as number) < 1) throw wrong('format', format, 'a version from 1 up')
  if ((format as number) > FORMAT_VERSION) {
    throw new Error(
      `artifact: format version ${format} is newer than ${FORMAT_VERSION}, which this Pliant reads; update pliant.`,
    )
  }
  if ((format as number) < FORMAT_VERSION) {
    throw new Error(`artifact: format version ${format} is of an unreleased Pliant; train it again.`)
  }
  text(root['kind'], 'kind')
  text(root['name'], 'name')
  checkCode(root['code'])
  text(object(root['model'], 'model')['kind'], 'model.kind')
  for (const [name, network] of Object.entries(object(root['networks'], 'networks'))) {
    text(object(network, `networks.${name}`)['kind'], `networks.${name}.kind`)
  }
  const training = object(root['training'], 'training')
  text(training['method'], 'training.method')
  text(training['specHash'], 'training.specHash')
  for (const key of ['seed', 'steps', 'poses', 'labels']) finite(training[key], `training.${key}`)
  if (root['quality'] !== null) object(root['quality'], 'quality')
  if (root['fault'] !== undefined) text(root['fault'], 'fault')
  return value as Envelope
}

/** @returns the code's size */
function checkCode(value: unknown): number {
  const code = object(value, 'code')
  const size = code['size']
  if (!Number.isInteger(size) || (size as number) < 0 || (size as number) > 4096) {
    throw wrong('code.size', size, 'a whole number up to 4096')
  }
  text(code['how'], 'code.how')
  numbers(code['lower'], size as number, 'code.lower')
  numbers(code['upper'], size as number, 'code.upper')
  const names = code['names']
  if (!Array.isArray(names) || names.length !== size) throw wrong('code.names', names, `${size} names`)
  names.forEach((name, i) => {
    text(name, `code.names[${i}]`)
  })
  return size as number
}

/** Says so, once for each load, if training marked a file as bad: a field that looks like any other must not be used unawares. */
export function warnOfFault({ name, fault }: { name: string; fault?: string }): void {
  if (fault !== undefined) console.warn(`pliant: '${name}' was marked as bad when it was trained: ${fault}.`)
}
