/** What `pliant bench contact` takes. */
import type { InputReader, OptionValues, ReadInputs } from '../../suite/inputs.js'
import type { ContactGiven } from './run.js'

/** Random streams of poses. */
const MOST_POSES = 700_000

/** @throws Error in one line if a value is no whole number in its range */
export async function readContact(
  { poses, seed }: OptionValues,
  reader: InputReader,
): Promise<ReadInputs<ContactGiven>> {
  const given: ContactGiven = {
    ...(poses !== undefined && { poses: wholeNumber('poses', poses, 1, MOST_POSES) }),
    ...(seed !== undefined && { seed: wholeNumber('seed', seed, 0, 2 ** 31 - 1) }),
  }
  const [bunny, armadillo] = await Promise.all(
    ['bunny.safetensors', 'armadillo.safetensors'].map((name) => reader.trained(reader.builtIn(name))),
  )
  return { given: { ...given, scenes: { bunny, armadillo } } }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`bench contact: --${name} is ${text}; give a whole number from ${least} to ${most}.`)
}
