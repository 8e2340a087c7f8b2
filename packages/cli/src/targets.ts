/** `--target VERTEX=X,Y,Z`: where vertices of a shape are wanted. */
import { UsageError } from './errors.js'

export interface Target {
  vertex: number
  /** Where it should be [m], in the frame of the model. */
  place: readonly [number, number, number]
}

const REMEDY = 'write VERTEX=X,Y,Z, in metres'

/**
 * @param text         targets, separated by semicolons
 * @param vertexCount  of the model
 * @param owner        the file, for messages
 * @throws UsageError naming the value that is wrong
 */
export function readTargets(text: string, vertexCount: number, owner: string): Target[] {
  const targets = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => readTarget(part, vertexCount, owner))
  if (targets.length === 0) throw new UsageError(`repair: --target is '${text}'; ${REMEDY}.`)
  const twice = targets.find(({ vertex }, i) => targets.some((other, k) => k < i && other.vertex === vertex))
  if (twice) throw new UsageError(`repair: --target names vertex ${twice.vertex} twice; keep one.`)
  return targets
}

function readTarget(part: string, vertexCount: number, owner: string): Target {
  const [name, ...rest] = part.split('=')
  if (rest.length !== 1) {
    throw new UsageError(
      `repair: --target '${part}' has ${rest.length === 0 ? "no '='" : "more than one '='"}; ${REMEDY}.`,
    )
  }
  const vertex = name.trim() === '' ? Number.NaN : Number(name)
  if (!Number.isSafeInteger(vertex)) {
    throw new UsageError(`repair: --target '${part}': vertex '${name.trim()}' is no whole number; ${REMEDY}.`)
  }
  if (vertex < 0 || vertex >= vertexCount) {
    throw new UsageError(
      `repair: --target '${part}': ${owner} has ${vertexCount} vertices; give one from 0 to ${vertexCount - 1}.`,
    )
  }
  const words = rest[0].split(',').map((word) => word.trim())
  if (words.length !== 3) throw new UsageError(`repair: --target '${part}' has ${words.length} coordinates; ${REMEDY}.`)
  const place = words.map((word) => (word === '' ? Number.NaN : Number(word)))
  const wrong = place.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) throw new UsageError(`repair: --target '${part}': '${words[wrong]}' is no number; ${REMEDY}.`)
  return { vertex, place: [place[0], place[1], place[2]] }
}
