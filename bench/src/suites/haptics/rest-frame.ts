/** Points into a body's rest frame, for engines that take points and code together. */
import type { Floats } from 'pliant'

/**
 * out = R^T (point - t), `count` triples.
 * @param frame  column-major 4x4 without scale that carries rest to world
 */
export function pointsToRest(frame: Floats, points: Floats, count: number, out: Floats): void {
  for (let i = 0; i < 3 * count; i += 3) {
    const x = points[i] - frame[12]
    const y = points[i + 1] - frame[13]
    const z = points[i + 2] - frame[14]
    out[i] = frame[0] * x + frame[1] * y + frame[2] * z
    out[i + 1] = frame[4] * x + frame[5] * y + frame[6] * z
    out[i + 2] = frame[8] * x + frame[9] * y + frame[10] * z
  }
}
