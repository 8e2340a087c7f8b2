/**
 * Which objects of a three.js scene are the joints of a trained skeleton.
 *
 * GLTFLoader changes names: it drops `[ ] . : /`, makes spaces underscores, and numbers what is then there twice. The
 * name in the file stays in `userData.name`, so that is asked first. Below the root joint each joint is looked for
 * among the children of its parent only: names that two characters of a scene share, or two limbs, do no harm.
 */
import { type Object3D, PropertyBinding, type SkinnedMesh } from 'three'
import type { Skeleton } from '../model/skeleton.js'

/**
 * @param who     asks, as messages begin
 * @param object  a skinned mesh of the character, or anything that holds all of it and no other of its kind
 * @returns       by joint: the root joint's object and those of all joints below; undefined for the rest
 * @throws Error naming the joint that is not there
 */
export function liveJoints(who: string, skeleton: Skeleton, object: Object3D): (Object3D | undefined)[] {
  const mismatch = (what: string): Error =>
    new Error(`${who}: ${what}; pass the character that was trained, or train this one.`)
  const { names, parents, root, belowRoot, jointCount } = skeleton
  const found: (Object3D | undefined)[] = new Array(jointCount)
  found[root] = findRoot(skeleton, object, mismatch)
  for (let joint = root + 1; joint < jointCount; joint++) {
    if (belowRoot[joint] === 0) continue
    const parent = found[parents[joint]]!
    const [first, second] = named(parent.children, names[joint])
    if (first === undefined) {
      const children = parent.children.map((child) => `'${child.name}'`).join(', ') || 'nothing'
      throw mismatch(`joint '${names[joint]}' does not hang from '${parent.name}', which holds ${children}`)
    }
    if (second !== undefined) throw mismatch(`joint '${names[joint]}' hangs from '${parent.name}' twice`)
    found[joint] = first
  }
  return found
}

function findRoot({ names, parents, root }: Skeleton, object: Object3D, mismatch: (what: string) => Error): Object3D {
  const objects = (object as SkinnedMesh).isSkinnedMesh ? bonesAndAbove(object as SkinnedMesh) : withAllBelow(object)
  const [first, second] = named(objects, names[root])
  if (second !== undefined) {
    throw mismatch(`root joint '${names[root]}' is there twice; pass one character's SkinnedMesh`)
  }
  if (first !== undefined) return first
  // Bones in several trees meet in the scene, which is a joint to us and has a name of its own in three.js.
  const children = names.filter((_, joint) => parents[joint] === root)
  const scene =
    parents[root] < 0 && objects.find((one) => children.every((name) => named(one.children, name).length > 0))
  if (scene) return scene
  throw mismatch(`root joint '${names[root]}' is not there`)
}

function bonesAndAbove(mesh: SkinnedMesh): Object3D[] {
  const objects = new Set<Object3D>()
  for (const bone of mesh.skeleton.bones) {
    for (let one: Object3D | null = bone; one && !objects.has(one); one = one.parent) objects.add(one)
  }
  return [...objects]
}

function withAllBelow(object: Object3D): Object3D[] {
  const objects: Object3D[] = []
  object.traverse((one) => objects.push(one))
  return objects
}

/** Those of a joint's name: as it was in the file, or else as three.js writes it. */
function named(objects: readonly Object3D[], name: string): Object3D[] {
  const original = objects.filter((object) => object.userData['name'] === name)
  if (original.length > 0) return original
  const sanitised = PropertyBinding.sanitizeNodeName(name)
  return objects.filter((object) => object.name === name || object.name === sanitised)
}
