/** A small character with everything that can be awkward about one, written by the glTF-Transform library. */
import { Document, WebIO } from '@gltf-transform/core'

export interface SampleOptions {
  /** Of the node above the root joint. */
  armatureScale?: [number, number, number]
  clips?: boolean
  skin?: boolean
  /** Weights of the last vertex. */
  lastWeights?: [number, number, number, number]
}

/**
 * `scene > armature (turned, scaled) > hips > spine > { armL > handL > indexL, head }`, and `hips > leg > foot`. Two
 * meshes: `body`, bound to all, and `cap`, morphing, bound to the head by another bind matrix; and `hat`, without a
 * skin, hanging from the head. The clip `wave` uses all three interpolations and moves the armature too.
 */
export async function sampleCharacter(options: SampleOptions = {}): Promise<Uint8Array> {
  const { armatureScale = [2, 2, 2], clips = true, skin: withSkin = true, lastWeights = [0.25, 0.75, 0, 0] } = options
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const node = (name: string, translation: [number, number, number]) =>
    document.createNode(name).setTranslation(translation)

  const armature = node('armature', [3, 0, 1]).setScale(armatureScale).setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2])
  const hips = node('hips', [0, 1, 0]).setRotation([0.1, 0, 0, Math.sqrt(0.99)])
  const spine = node('spine', [0, 0.3, 0])
  const armL = node('armL', [0.3, 0.3, 0]).setRotation([0, 0, 0.6, 0.8])
  const handL = node('handL', [0, 0.4, 0])
  const indexL = node('indexL', [0, 0.1, 0])
  const head = node('head', [0, 0.5, 0])
  const leg = node('leg', [0.1, -0.1, 0])
  const foot = node('foot', [0, -0.5, 0])
  const joints = [foot, hips, spine, armL, handL, indexL, head, leg]
  armature.addChild(
    hips.addChild(spine.addChild(armL.addChild(handL.addChild(indexL))).addChild(head)).addChild(leg.addChild(foot)),
  )
  const scene = document.createScene('main').addChild(armature)

  const bodyVertices = joints.flatMap((_, i) => [
    0.1 * i,
    0.2 * i,
    0.05,
    0.1 * i + 0.07,
    0.2 * i,
    -0.05,
    0.1 * i,
    0.2 * i + 0.1,
    0,
  ])
  const count = bodyVertices.length / 3
  const bodyJoints = new Uint16Array(4 * count)
  const bodyWeights = new Float32Array(4 * count)
  for (let v = 0; v < count; v++) {
    const joint = Math.floor(v / 3)
    bodyJoints.set([joint, (joint + 1) % 8, (joint + 3) % 8, 0], 4 * v)
    bodyWeights.set(v === count - 1 ? lastWeights : [0.5, 0.3, 0.2, 0], 4 * v)
  }
  const inverse = (x: number, y: number, z: number) => [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, x, y, z, 1]
  const bind = joints.flatMap((_, i) => inverse(0.1 * i, -0.2 * i, 0.3))
  const bodySkin = document.createSkin('all').setInverseBindMatrices(accessor('MAT4', Float32Array.from(bind)))
  for (const joint of joints) bodySkin.addJoint(joint)
  const bodyPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(bodyVertices)))
    .setIndices(
      accessor(
        'SCALAR',
        Uint16Array.from({ length: count }, (_, i) => i),
      ),
    )
    .setAttribute('JOINTS_0', accessor('VEC4', bodyJoints))
    .setAttribute('WEIGHTS_0', accessor('VEC4', bodyWeights))
  const body = document.createNode('body').setMesh(document.createMesh('body').addPrimitive(bodyPrimitive))
  if (withSkin) body.setSkin(bodySkin)

  const capSkin = document
    .createSkin('cap')
    .addJoint(head)
    .setInverseBindMatrices(accessor('MAT4', Float32Array.from(inverse(0, 0, 7))))
  const capPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 1, 0, 1, 1, 0, 0, 2, 0)))
    .setAttribute('JOINTS_0', accessor('VEC4', new Uint16Array(12)))
    .setAttribute('WEIGHTS_0', accessor('VEC4', Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)))
  for (const x of [1, 2]) {
    const offsets = Float32Array.of(0, 0, 0, x, 0, 0, 0, x, 0)
    capPrimitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', accessor('VEC3', offsets)))
  }
  const capMesh = document.createMesh('cap').addPrimitive(capPrimitive).setWeights([0.25, 0])
  const cap = document.createNode('cap').setMesh(capMesh).setTranslation([50, 0, 0])
  if (withSkin) cap.setSkin(capSkin)
  const hatPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0)))
  head.addChild(node('hat', [0, 0.1, 0]).setMesh(document.createMesh('hat').addPrimitive(hatPrimitive)))
  scene.addChild(body).addChild(cap)

  if (clips) {
    const animation = document.createAnimation('wave')
    const channel = (
      target: ReturnType<typeof node>,
      path: 'translation' | 'rotation' | 'scale' | 'weights',
      interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE',
      times: number[],
      values: number[],
    ) => {
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3'
      const sampler = document
        .createAnimationSampler()
        .setInterpolation(interpolation)
        .setInput(accessor('SCALAR', Float32Array.from(times)))
        .setOutput(accessor(type, Float32Array.from(values)))
      animation
        .addSampler(sampler)
        .addChannel(document.createAnimationChannel().setSampler(sampler).setTargetNode(target).setTargetPath(path))
    }
    channel(armL, 'rotation', 'LINEAR', [0.2, 1, 1.5], [0, 0, 0.6, 0.8, 0.6, 0, 0, 0.8, -0.6, 0, 0, -0.8])
    const tangents = [0, 0.5, 0, 0]
    channel(
      spine,
      'rotation',
      'CUBICSPLINE',
      [0, 2],
      [0, 0, 0, 0, 0, 0, 0, 1, ...tangents, ...tangents, 0.6, 0, 0, 0.8, 0, 0, 0, 0],
    )
    channel(spine, 'translation', 'CUBICSPLINE', [0, 2], [0, 0, 0, 0, 0.3, 0, 1, 0, 0, 0, 2, 0, 0, 0.4, 0, 0, 0, 0])
    channel(leg, 'rotation', 'STEP', [0, 0.5, 1], [0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.6, 0, 0.8])
    channel(leg, 'scale', 'LINEAR', [0, 1], [1, 1, 1, 1, 2, 0.5])
    channel(hips, 'rotation', 'LINEAR', [0, 2], [0.1, 0, 0, Math.sqrt(0.99), 0, 0.6, 0, 0.8])
    channel(hips, 'translation', 'LINEAR', [0, 2], [0, 1, 0, 5, 1, 0])
    channel(armature, 'translation', 'LINEAR', [0, 2], [3, 0, 1, 3, 4, 1])
    channel(cap, 'weights', 'LINEAR', [0, 1], [0, 1, 0.5, 0])
  }
  return new WebIO().writeBinary(document)
}
