/** A glTF file with everything we read, written by another program: the glTF-Transform library. */
import { Document, WebIO } from '@gltf-transform/core'
import { boxMesh } from './samples.js'

/** A still box under a turned, mirrored parent; a skinned, morphing, animated strip of two joints. */
export async function riggedGlb(): Promise<Uint8Array> {
  return new WebIO().writeBinary(riggedDocument())
}

/** The same as text with its numbers in a data URI. */
export async function riggedGltf(): Promise<Uint8Array> {
  const { json, resources } = await new WebIO().writeJSON(riggedDocument(), { basename: 'rig' })
  const bytes = resources[json.buffers![0].uri!]
  json.buffers![0].uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`
  return new TextEncoder().encode(JSON.stringify(json))
}

function riggedDocument(): Document {
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', array: Float32Array | Uint16Array | Uint8Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const box = boxMesh()
  const boxPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(box.positions)))
    .setIndices(accessor('SCALAR', Uint16Array.from(box.triangles)))
    .setMaterial(
      document
        .createMaterial('paint')
        .setBaseColorTexture(
          document.createTexture('t').setURI('gone.png').setMimeType('image/png').setImage(new Uint8Array(4)),
        ),
    )
  const boxNode = document.createNode('box').setMesh(document.createMesh('box').addPrimitive(boxPrimitive))
  boxNode.setScale([1, 2, 1])
  const parent = document
    .createNode('parent')
    .setTranslation([10, 0, 0])
    .setRotation([0, 0, Math.SQRT1_2, Math.SQRT1_2])
    .setScale([-1, 1, 1])
    .addChild(boxNode)

  const root = document.createNode('root').setTranslation([0, 1, 0])
  const between = document.createNode('between')
  const tip = document.createNode('tip').setTranslation([0, 1, 0])
  root.addChild(between.addChild(tip))
  const inverse = (y: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1]
  const skin = document
    .createSkin('bones')
    .addJoint(root)
    .addJoint(tip)
    .setInverseBindMatrices(accessor('MAT4', Float32Array.of(...inverse(0), ...inverse(1))))
  const offsets = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0)
  const strip = document
    .createPrimitive()
    .setMode(5)
    .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0)))
    .setAttribute('JOINTS_0', accessor('VEC4', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)))
    .setAttribute(
      'WEIGHTS_0',
      accessor('VEC4', Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 204, 51, 0, 0, 255, 0, 0, 0)).setNormalized(true),
    )
    .addTarget(document.createPrimitiveTarget('bulge').setAttribute('POSITION', accessor('VEC3', offsets)))
  const mesh = document
    .createMesh('strip')
    .addPrimitive(strip)
    .setWeights([0.5])
    .setExtras({ targetNames: ['bulge'] })
  const body = document.createNode('body').setMesh(mesh).setSkin(skin).setTranslation([99, 99, 99])
  document.createScene('main').addChild(parent).addChild(root).addChild(body)

  const times = accessor('SCALAR', Float32Array.of(0, 0.5, 2))
  const turns = accessor('VEC4', Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1))
  const sampler = document.createAnimationSampler().setInput(times).setOutput(turns).setInterpolation('STEP')
  const channel = document.createAnimationChannel().setSampler(sampler).setTargetNode(tip).setTargetPath('rotation')
  const weights = accessor('SCALAR', Float32Array.of(0, 1, 0))
  const morph = document.createAnimationSampler().setInput(times).setOutput(weights)
  const morphing = document.createAnimationChannel().setSampler(morph).setTargetNode(body).setTargetPath('weights')
  document.createAnimation('wave').addSampler(sampler).addSampler(morph).addChannel(channel).addChannel(morphing)
  return document
}
