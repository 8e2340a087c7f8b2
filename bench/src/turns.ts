/** Rivals timed in turns, frame by frame, so that a slow moment of the machine meets each of them. */
import { median } from './machine.js'

/**
 * @param frames  what to do, over and over
 * @param seconds about how long each rival runs in all
 * @returns median time of one frame of each rival [microseconds]
 */
export function timeTurns<Name extends string, Rival, Frame>(
  rivals: Readonly<Record<Name, Rival>>,
  frames: readonly Frame[],
  seconds: number,
  run: (rival: Rival, frame: Frame) => void,
): Record<Name, number> {
  const names = Object.keys(rivals) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  const until = performance.now() + 1000 * seconds * names.length
  // At least three rounds, however slow: the first one warms up.
  for (let round = 0; round < 3 || performance.now() < until; round++) {
    for (const name of names) {
      const began = performance.now()
      run(rivals[name], frames[round % frames.length])
      if (round > 0) times.get(name)!.push(1000 * (performance.now() - began))
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>
}
