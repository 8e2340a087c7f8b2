/** A trained character, judged against exact geometry: on poses that it holds, or of motions that are given. */
import type { CharacterArtifact } from 'pliant/character'
import type { JudgedFile, JudgeOptions } from './judge-trained.js'
import { clipsText, heldOutText, trainedOn } from './judged-on.js'
import { readJudgingPoses } from './judging-poses.js'

export async function judgeCharacter(
  file: string,
  artifact: CharacterArtifact,
  options: JudgeOptions,
): Promise<JudgedFile> {
  const { motion, motionSettings, noise, rivals, onProgress, signal, points } = options
  const trainer = await import('@pliant/train/unstable')
  const { character, heldOut } = artifact
  const given =
    motion === undefined
      ? { poses: heldOut, fit: undefined, motions: [] }
      : await readJudgingPoses(motion, character, motionSettings, onProgress)
  const poses = trainer.spreadPoses(character.skeleton, given.poses, options.poses ?? heldOut.length, noise ?? 0)
  const judged = await trainer.evaluateCharacter(artifact, { signal, points, onProgress, poses, rivals })
  const motions = given.motions.map((read) => ({ ...read, trained: trainedOn(artifact, read.clip) }))
  const posesText = [
    motion === undefined ? heldOutText(artifact.manifest) : '',
    motions.length > 0 ? clipsText(motions.map(({ clip, trained }) => ({ name: clip.name, trained }))) : '',
    given.fit === undefined ? '' : 'of recorded vertices',
    noise ? `with noise of ${noise} degrees on every joint` : '',
  ]
  return {
    file,
    method: artifact.manifest.training.method,
    ...judged,
    sequenceFit: given.fit,
    posesText: posesText.filter(Boolean).join('; '),
    motions,
  }
}
