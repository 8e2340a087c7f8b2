/** The paper's Fig. 5 for a trained character: three poses never trained on, level sets and zero set, exact beside learned. */

import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import type { BodyField } from 'pliant/sim'
import type { OnProgress } from 'pliant/unstable'
import { pickFurthest, shapePictures } from './shape-pictures.js'

export interface PosedPicturesOptions {
  character: SkinnedCharacter
  poses: readonly SkeletonPose[]
  /** Drawn beside the exact body, under these names. */
  fields: Readonly<Record<string, BodyField>>
  /** Coarse pictures. */
  quick?: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** @returns HTML, one row of figures a pose and kind of picture */
export async function posedPictures(options: PosedPicturesOptions): Promise<string> {
  const { character, poses, fields, quick } = options
  const { skeleton, triangles, height } = character
  const positions = new Float64Array(3 * character.vertexCount)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const rows: string[] = []
  for (const [p, pose] of poses.entries()) {
    options.signal?.throwIfAborted()
    character.positionsOfPose(pose, positions)
    skeleton.matrices(pose, matrices)
    for (const field of Object.values(fields)) field.update({ joints: pose, matrices })
    rows.push(`<h3>Pose ${p + 1}</h3>${shapePictures({ positions, triangles, size: height, fields, quick })}`)
    options.onProgress?.({ fraction: (p + 1) / poses.length, stage: 'pictures' })
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return rows.join('\n')
}

/** Poses far from each other. */
export function pickPoses(character: SkinnedCharacter, poses: readonly SkeletonPose[], count: number): SkeletonPose[] {
  const codes = poses.map((pose) => {
    const code = new Float64Array(character.codeSize)
    character.encodePose(pose, code)
    return code
  })
  return pickFurthest(codes, count).map((number) => poses[number])
}
