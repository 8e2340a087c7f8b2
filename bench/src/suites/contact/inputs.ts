/** What `pliant bench contact` takes. */
import type { InputReader, OptionValues, ReadInputs } from '../../suite/inputs.js'
import { partNames } from '../../suite/part-names.js'
import { type ContactGiven, PART_SHARES, type PartName } from './parts.js'

/** Random streams of poses. */
const MOST_POSES = 700_000

/** @throws Error in one line if a value is no whole number in its range */
export async function readContact(
  { parts, poses, seed }: OptionValues,
  reader: InputReader,
): Promise<ReadInputs<ContactGiven>> {
  const given: ContactGiven = {
    ...(parts !== undefined && { parts: partNames('contact', Object.keys(PART_SHARES) as PartName[], parts) }),
    ...(poses !== undefined && { poses: wholeNumber('poses', poses, 1, MOST_POSES) }),
    ...(seed !== undefined && { seed: wholeNumber('seed', seed, 0, 2 ** 31 - 1) }),
  }
  const [bunny, armadillo, hand, bar] = await Promise.all(
    ['bunny', 'armadillo', 'hand', 'bar'].map((name) => reader.trained(reader.builtIn(`${name}.safetensors`))),
  )
  return { given: { ...given, scenes: { bunny, armadillo }, soft: { bunny, hand, bar } } }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`bench contact: --${name} is ${text}; give a whole number from ${least} to ${most}.`)
}
