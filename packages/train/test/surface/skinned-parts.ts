/** Small skinned surfaces: boxes, tubes and sheets, each part moved by one joint of a chain. */
import { Skeleton, type SkinnedSurface } from 'pliant/character'

export interface Part {
  positions: number[]
  triangles: number[]
  joint: number
}

export function box(lower: number[], upper: number[], joint = 0): Part {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [0, 1, 2].map((a) => ((c >> a) & 1 ? upper[a] : lower[a])))
  // biome-ignore format: one face per line
  const triangles = [
    0, 4, 6, 0, 6, 2,
    1, 3, 7, 1, 7, 5,
    0, 1, 5, 0, 5, 4,
    2, 6, 7, 2, 7, 3,
    0, 2, 3, 0, 3, 1,
    4, 5, 7, 4, 7, 6,
  ]
  return { positions, triangles, joint }
}

/** A tube along y of unit height about the y axis, open at both ends. */
export function tube(radius: number, sides: number, joint = 0): Part {
  const positions: number[] = []
  const triangles: number[] = []
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * i) / sides
    const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)]
    positions.push(x, 0, z, x, 1, z)
    const [a, b] = [2 * i, 2 * ((i + 1) % sides)]
    triangles.push(a, a + 1, b, b, a + 1, b + 1)
  }
  return { positions, triangles, joint }
}

/** A square sheet in the plane z = depth. */
export function sheet(side: number, depth: number, joint = 0): Part {
  const [l, h] = [-side / 2, side / 2]
  return { positions: [l, l, depth, h, l, depth, h, h, depth, l, h, depth], triangles: [0, 1, 2, 0, 2, 3], joint }
}

export function insideOut(part: Part): Part {
  return { ...part, triangles: part.triangles.map((_, i, all) => all[3 * Math.trunc(i / 3) + 2 - (i % 3)]) }
}

/** Joint 0 at the origin, joint 1 at (1, 0, 0) below it; the root is joint 0. */
export function chain(restAngle = 0): Skeleton {
  const half = restAngle / 2
  return new Skeleton({
    names: ['upper', 'lower'],
    parents: Int32Array.of(-1, 0),
    root: 0,
    rest: {
      translations: Float64Array.of(0, 0, 0, 1, 0, 0),
      rotations: Float64Array.of(0, 0, 0, 1, 0, 0, Math.sin(half), Math.cos(half)),
      scales: new Float64Array(6).fill(1),
    },
  })
}

/** Bound where the chain is straight. */
export function skinned(...parts: Part[]): SkinnedSurface {
  const bound: number[] = []
  const triangles: number[] = []
  const bones: number[] = []
  for (const part of parts) {
    const first = bound.length / 3
    for (const vertex of part.triangles) triangles.push(first + vertex)
    for (const value of part.positions) bound.push(value)
    for (let v = 0; v < part.positions.length / 3; v++) bones.push(part.joint)
  }
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  const count = bones.length
  return {
    bound: Float64Array.from(bound),
    triangles: Uint32Array.from(triangles),
    bones: {
      joints: Uint16Array.of(0, 1),
      inverseBind: Float64Array.from([...identity, ...identity.with(12, -1)]),
    },
    influenceStarts: Uint32Array.from({ length: count + 1 }, (_, v) => v),
    influenceBones: Uint16Array.from(bones),
    influenceWeights: new Float32Array(count).fill(1),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [
      { name: 'parts', vertexStart: 0, vertexCount: count, triangleStart: 0, triangleCount: triangles.length / 3 },
    ],
  }
}
