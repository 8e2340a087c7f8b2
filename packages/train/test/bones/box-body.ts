/** A body of boxes, each rigid on a joint of its own: small, low-polygon, with parts as broad as one likes. */
import type { Vec3 } from 'pliant'
import { Skeleton, type SkinnedCharacter } from 'pliant/character'
import { createCharacter } from 'pliant/unstable'

/** Vertices along a side of each face. */
const SIDE = 7

/** Joint 0 is the root, and all others hang from it; every joint stands in the origin at rest but the head of its box. */
export function boxBody(boxes: readonly { joint: number; centre: Vec3; half: Vec3 }[]): {
  character: SkinnedCharacter
  /** Vertices at rest [m], xyz triples. */
  rest: Float64Array
  /** The joint of each vertex. */
  owners: number[]
} {
  const count = boxes.length
  const skeleton = new Skeleton({
    names: boxes.map(({ joint }) => `joint ${joint}`),
    parents: Int32Array.from(boxes, ({ joint }) => (joint === 0 ? -1 : 0)),
    root: 0,
    rest: {
      translations: Float64Array.from(
        boxes.flatMap(({ joint, centre }) => (joint === 0 ? [0, 0, 0] : [0, centre[1], 0])),
      ),
      rotations: Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float64Array(3 * count).fill(1),
    },
  })
  const bound: number[] = []
  const triangles: number[] = []
  const owners: number[] = []
  for (const { joint, centre, half } of boxes) {
    for (let face = 0; face < 6; face++) {
      const axis = face >> 1
      const way = face % 2 === 0 ? -1 : 1
      const first = bound.length / 3
      for (let i = 0; i < SIDE * SIDE; i++) {
        const place = [0, 0, 0]
        place[axis] = way
        place[(axis + 1) % 3] = (2 * (i % SIDE)) / (SIDE - 1) - 1
        place[(axis + 2) % 3] = (2 * Math.floor(i / SIDE)) / (SIDE - 1) - 1
        bound.push(...place.map((value, k) => centre[k] + value * half[k]))
        owners.push(joint)
        if (i % SIDE === SIDE - 1 || i >= SIDE * (SIDE - 1)) continue
        const corners = [i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE].map((v) => first + v)
        triangles.push(...(way > 0 ? corners : corners.reverse()))
      }
    }
  }
  const inverseBind = new Float64Array(16 * count)
  boxes.forEach(({ joint, centre }, b) => {
    for (let i = 0; i < 16; i += 5) inverseBind[16 * b + i] = 1
    inverseBind[16 * b + 13] = joint === 0 ? 0 : -centre[1]
  })
  const surface = {
    bound: Float64Array.from(bound),
    triangles: Uint32Array.from(triangles),
    bones: { joints: Uint16Array.from(boxes, ({ joint }) => joint), inverseBind },
    influenceStarts: Uint32Array.from({ length: owners.length + 1 }, (_, v) => v),
    influenceBones: Uint16Array.from(owners),
    influenceWeights: new Float32Array(owners.length).fill(1),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
  return {
    character: createCharacter({ skeleton, surface, clips: [], height: 1 }, []),
    rest: surface.bound.slice(),
    owners,
  }
}
