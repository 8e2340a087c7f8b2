/** What a trained character is; and, of a rig, what training would learn. */

import { chooseClips, type RangeMotion, readRanges } from '@pliant/train/unstable/poses'
import { qualityTable, seenLine } from '@pliant/train/unstable/text'
import { type CharacterArtifact, type CharacterNetwork, rigFromScene } from 'pliant/character'
import type { GltfScene } from 'pliant/files'
import { createCharacter } from 'pliant/unstable'
import { formatBytes, formatCount, formatNumber, labelled } from '../format.js'
import type { InspectedFile } from '../kinds/kind-commands.js'
import type { Report } from '../output.js'
import { qualityJson } from '../quality-json.js'
import { rangeCountsText } from '../range-text.js'
import type { Described } from './mesh.js'

export function inspectCharacter({
  path,
  bytes,
  artifact: { manifest },
  parameters,
  multiplications,
}: InspectedFile<CharacterArtifact>): Report {
  const { code, model, networks, training, quality, truncation } = manifest
  const { surface, skeleton, heldOut, height } = model
  const text = [
    labelled([
      ['file', `${path}: a trained character, '${manifest.name}', ${formatBytes(bytes)}`],
      ['height', `${formatNumber(height)} m`],
      [
        'surface',
        `${formatCount(surface.vertices)} vertices, ${formatCount(surface.triangles)} triangles, ${surface.made}`,
      ],
      ['skeleton', `${skeleton.names.length} joints, root '${skeleton.names[skeleton.root]}'`],
      ['code', `${code.size} values: ${code.how}`],
      ['  entries', code.names.join(', ')],
      [
        'network',
        `${describeNetwork(networks.distance)}, ${formatCount(multiplications)} multiplications, ${formatCount(parameters)} parameters`,
      ],
      ['truncation', `${formatNumber(truncation)} m: beyond it only the sign and "at least so far" hold`],
      ...(manifest.fault === undefined
        ? []
        : [['bad', `marked when it was trained: ${manifest.fault}`] as [string, string]]),
      ['safety margin', quality ? `${formatNumber(quality.safetyMargin)} m` : 'not measured'],
      ['method', METHODS[training.method] ?? training.method],
      [
        'trained on',
        `${model.clips.map(({ name }) => name).join(', ')}; seed ${training.seed}, ${formatCount(training.steps)} steps`,
      ],
      ['evaluated on', heldOut.clips.length > 0 ? heldOut.clips.join(', ') : 'its own clips with noise on all joints'],
    ]),
    [
      quality ? qualityTable(quality) : "Its quality was never measured; run 'pliant evaluate'.",
      ...seenLine(surface.seenError, height),
    ].join('\n'),
  ]
  const json = {
    file: path,
    bytes,
    fault: null,
    ...manifest,
    quality: quality && qualityJson(quality),
    kind: 'artifact',
    field: model.kind,
    height,
    surface,
    skeleton,
    heldOut,
    network: networks.distance.shape,
    parameters,
    multiplications,
  }
  return { json, text: text.join('\n\n') }
}

const METHODS: Record<string, string> = {
  pliant: 'pliant: in bone frames',
  paper: 'paper: Zesch et al., one network of point and joint angles; joints outside the code do not reach it',
}

function describeNetwork({ kind, shape }: CharacterNetwork): string {
  return kind === 'whole'
    ? `dense, ${shape.hidden.length} hidden layers of ${[...new Set(shape.hidden)].join(', ')}`
    : `${shape.bones.length} bones, ${shape.nearest} answer each point`
}

function rangeText({ part, flex, side, twist }: RangeMotion['ranges'][number]): string {
  const angles = Object.entries({ flex, side, twist }).flatMap(([name, [from, to]]) =>
    from === 0 && to === 0 ? [] : [`${name} ${formatNumber(from)} to ${formatNumber(to)}`],
  )
  return `${part ?? 'unknown'}: ${angles.join(', ') || 'still'}${angles.length > 0 ? ' degrees' : ''}`
}

/** Of a training run that is told none. */
const TRAINING_SEED = 1

/** Which joints would be learned from a rig's own clips, and what would be left out, and why. */
export async function describeLearning(scene: GltfScene): Promise<Described> {
  if (!scene.meshes.some((mesh) => mesh.skin >= 0)) return { json: {}, rows: [] }
  const rig = rigFromScene(scene)
  if (rig.clips.length === 0) {
    const motion = await readRanges(undefined, rig, TRAINING_SEED)
    const { ranges } = motion
    return {
      json: { learning: null, ranges },
      rows: [
        ['learning', 'the file has no clips: train it with --motion x.bvh, or on random motion within joint ranges'],
        ['  ranges', rangeCountsText(motion)],
        ...ranges.map((range): [string, string] => [`    ${range.joint}`, rangeText(range)]),
      ],
    }
  }
  const choice = chooseClips(rig.skeleton, rig.clips, { seed: TRAINING_SEED })
  const clips = {
    train: choice.train.map(({ name }) => name),
    heldOut: choice.heldOut.map(({ name }) => name),
    leftOut: [
      ...scene.animations
        .filter(({ name }) => !rig.clips.some((clip) => clip.name === name))
        .map(({ name }) => ({ name, reason: 'moves no joint of the body' })),
      ...choice.leftOut,
    ],
  }
  const { code } = createCharacter(rig, choice.train)
  const { joints, dropped } = code.describe()
  return {
    json: { learning: { height: rig.height, codeSize: code.size, joints, dropped, leftOutMeshes: rig.leftOut, clips } },
    rows: [
      [
        'learning',
        `${code.size} degrees of freedom of ${joints.length} joints, from ${clips.train.length} of ${scene.animations.length} clips`,
      ],
      [
        '  evaluated on',
        clips.heldOut.length > 0 ? `${clips.heldOut.join(', ')}: held out` : 'the same clips with noise',
      ],
      ...clips.leftOut.map(({ name, reason }): [string, string] => ['  clip left out', `${name}: ${reason}`]),
      [
        '  joints',
        joints
          .map(({ name, rotation, translation }) => `${name} ${rotation}${translation && ` slide ${translation}`}`)
          .join(', '),
      ],
      ...dropped.map((entry): [string, string] => ['  left out', `${entry.joint}, ${entry.what}: ${entry.reason}`]),
      ...(rig.leftOut.length > 0
        ? [['  no part', `${rig.leftOut.join(', ')}: not bound to the skeleton`] as [string, string]]
        : []),
    ],
  }
}
