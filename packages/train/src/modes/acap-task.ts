/** What a worker of an ACAP pool does: it tells the features of shapes, one after the other. */
import type { TriangleMesh } from 'pliant'
import { AcapFeatures } from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { moved } from '../pool/index.js'

export function tasks(reference: TriangleMesh) {
  const acap = new AcapFeatures(reference)
  const features = new Float64Array(acap.size)
  return {
    /** @param first  number of the first of these shapes, for errors */
    encode({ first, positions }: { first: number; positions: Float32Array[] }) {
      const out = positions.map((shape, i) => {
        try {
          acap.encode(shape, features)
        } catch (error) {
          throw new BadInput(`shape ${first + i}: ${(error as Error).message}`)
        }
        return Float32Array.from(features)
      })
      return moved(out, ...out)
    },
  }
}
