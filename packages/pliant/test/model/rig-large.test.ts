/** Rigs that nobody draws but anybody can write: their cost must grow with their size, not with its square. */
import { expect, test } from 'vitest'
import { rigFromScene } from '../../src/model/rig.js'
import type { RigMesh, RigNode, RigSource } from '../../src/model/rig-source.js'

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
const PARTS = { translation: [0, 0.1, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }

/** Nodes in one chain, all of them joints, that count how often somebody asks for a parent. */
function chain(length: number): { scene: RigSource; asked: () => number } {
  let asked = 0
  const nodes = Array.from(
    { length },
    (_, i): RigNode => ({
      name: `joint${i}`,
      localMatrix: IDENTITY,
      worldMatrix: IDENTITY,
      parts: PARTS,
      get parent() {
        asked++
        return i - 1
      },
    }),
  )
  const joints = nodes.map((_, i) => i)
  const inverseBindMatrices = new Float64Array(16 * length)
  for (let i = 0; i < length; i++) inverseBindMatrices.set(IDENTITY, 16 * i)
  const mesh = triangleSoup([0, length >> 1, length - 1])
  return {
    scene: { nodes, meshes: [mesh], skins: [{ joints, inverseBindMatrices }], animations: [] },
    asked: () => asked,
  }
}

/** One vertex per joint given, each bound to it alone. */
function triangleSoup(joints: number[], place: (vertex: number) => number[] = (v) => [v % 2, v, v % 3]): RigMesh {
  return {
    name: 'soup',
    node: 0,
    skin: 0,
    positions: Float64Array.from(joints.flatMap((_, v) => place(v))),
    triangles: Uint32Array.from(joints, (_, v) => v),
    influences: 4,
    joints: Uint16Array.from(joints.flatMap((joint) => [joint, 0, 0, 0])),
    weights: Float32Array.from(joints.flatMap(() => [1, 0, 0, 0])),
    morphTargets: [],
    morphWeights: [],
  }
}

test('a chain of joints is followed a few times, not once from every joint', () => {
  const { scene, asked } = chain(5000)
  const { skeleton } = rigFromScene(scene)
  expect(skeleton.jointCount).toBe(5000)
  expect(skeleton.root).toBe(0)
  expect(asked()).toBeLessThan(20 * 5000)
})

test('the root is the deepest joint that carries all, and parents come before their children', () => {
  const { scene } = chain(40)
  const { skeleton } = rigFromScene({ ...scene, meshes: [triangleSoup([30, 31, 39])] })
  expect(skeleton.names[skeleton.root]).toBe('joint30')
  expect([...skeleton.parents]).toEqual(skeleton.names.map((_, i) => i - 1))
})

test('more joints than a file of ours can hold are refused in one line', () => {
  const { scene } = chain(10_001)
  expect(() => rigFromScene(scene)).toThrow(/^rig: 10001 joints carry the meshes, at most 10000 are taken; .+\.$/)
})

test('many different vertices at one place are compared with a few of each other only', () => {
  const { scene } = chain(2000)
  const joints = Array.from({ length: 1998 }, (_, v) => v)
  let compared = 0
  const offsets = new Proxy(new Float64Array(3 * joints.length), {
    get(target, key) {
      compared++
      return Reflect.get(target, key)
    },
  })
  const soup = { ...triangleSoup(joints, () => [1, 2, 3]), morphTargets: [{ name: 'm', offsets }], morphWeights: [0] }
  // Equal weights, different morph offsets: only the offsets tell the vertices apart.
  const bound = { ...soup, joints: new Uint16Array(4 * joints.length) }
  joints.forEach((v) => {
    offsets[3 * v] = v
  })
  const { surface } = rigFromScene({ ...scene, meshes: [bound] })
  expect(surface.bound.length / 3).toBe(joints.length)
  expect(compared).toBeLessThan(60 * joints.length)
})
