/** The bending tube of the trainer's tests as a GLB, with its clips. */
import { Document, WebIO } from '@gltf-transform/core'
import { tubeCharacter } from '../../train/test/bones/tube-character.js'

/** @param options.names  of the joints, if not the tube's own */
export async function tubeGlb(options: { clips: boolean; names?: readonly string[] }): Promise<Uint8Array> {
  const { character, train } = tubeCharacter({ rings: 12, around: 8 })
  const { surface, skeleton, vertexCount } = character
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const nodes = (options.names ?? skeleton.names).map((name, joint) => {
    const [x, y, z] = skeleton.rest.translations.subarray(3 * joint, 3 * joint + 3)
    return document.createNode(name).setTranslation([x, y, z])
  })
  nodes.forEach((node, joint) => {
    if (joint > 0) nodes[skeleton.parents[joint]].addChild(node)
  })
  const joints = new Uint16Array(4 * vertexCount)
  const weights = new Float32Array(4 * vertexCount)
  for (let v = 0; v < vertexCount; v++) {
    for (let i = surface.influenceStarts[v]; i < surface.influenceStarts[v + 1]; i++) {
      joints[4 * v + i - surface.influenceStarts[v]] = surface.influenceBones[i]
      weights[4 * v + i - surface.influenceStarts[v]] = surface.influenceWeights[i]
    }
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(surface.bound)))
    .setAttribute('JOINTS_0', accessor('VEC4', joints))
    .setAttribute('WEIGHTS_0', accessor('VEC4', weights))
    .setIndices(accessor('SCALAR', Uint16Array.from(surface.triangles)))
  const skin = document
    .createSkin()
    .setInverseBindMatrices(accessor('MAT4', Float32Array.from(surface.bones.inverseBind)))
  for (const node of nodes) skin.addJoint(node)
  const body = document.createNode('body').setMesh(document.createMesh('body').addPrimitive(primitive)).setSkin(skin)
  document.createScene().addChild(nodes[0]).addChild(body)
  for (const clip of options.clips ? train : []) {
    const animation = document.createAnimation(clip.name)
    for (const track of clip.tracks) {
      const sampler = document
        .createAnimationSampler()
        .setInput(accessor('SCALAR', track.times))
        .setOutput(accessor('VEC4', track.values))
      const channel = document.createAnimationChannel().setSampler(sampler).setTargetPath('rotation')
      animation.addSampler(sampler).addChannel(channel.setTargetNode(nodes[track.target]))
    }
  }
  return new WebIO().writeBinary(document)
}
