/** The skeleton of a trained character in the GLB that it came from: which node each joint is. */
import { rigFromScene, type Skeleton } from 'pliant/character'
import { asBadInput, UsageError } from './errors.js'
import { readMesh } from './surface.js'

/** @throws UsageError if the file is no GLB, or has other joints */
export async function rigOfGlb(path: string, { names, root }: Skeleton): Promise<{ nodes: Int32Array }> {
  const file = /\.glb$/i.test(path) ? await readMesh(path) : undefined
  if (file?.kind !== 'gltf') {
    throw new UsageError(`${path} is no GLB; save the character as .glb, or leave --into out.`)
  }
  const rig = await asBadInput(() => rigFromScene(file.scene, { root: names[root] }), path)
  const nodes = Int32Array.from(names, (name) => {
    const joint = rig.skeleton.names.indexOf(name)
    return joint < 0 ? -1 : rig.nodes[joint]
  })
  const missing = nodes.findIndex((node, joint) => node < 0 && joint !== 0 && joint !== root)
  if (missing >= 0) {
    throw new UsageError(
      `${path} has no joint '${names[missing]}' of the trained character; pass the file it was trained from.`,
    )
  }
  return { nodes }
}
