/** What a worker of a label pool does: it holds the mesh, refits it to each pose and answers that pose's points. */
import { ExactMeshField, type ExactMeshFieldOptions } from 'pliant/exact'
import type { LabelSlot } from './label-slot.js'

export interface LabelStart {
  positions: Float64Array
  triangles: Uint32Array
  sign: ExactMeshFieldOptions['sign']
}

export interface LabelInput {
  pose: number
  slot: LabelSlot
}

export function tasks({ positions, triangles, sign }: LabelStart) {
  const field = new ExactMeshField({ positions, triangles }, { sign })
  return {
    label({ pose, slot }: LabelInput): void {
      try {
        label(field, slot)
      } catch (error) {
        throw new Error(`label: pose ${pose}: ${(error as Error).message}`)
      }
    },
  }
}

function label(field: ExactMeshField, slot: LabelSlot): void {
  field.update({ vertices: slot.positions })
  field.closest(slot.points, slot.distances.length, {
    distances: slot.distances,
    normals: slot.normals.length > 0 ? slot.normals : undefined,
  })
}
