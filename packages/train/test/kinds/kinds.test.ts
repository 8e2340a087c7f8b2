/** A kind that lacks a tool is refused by name, with the kinds that have it: nobody has to list them elsewhere. */
import { readFileSync } from 'node:fs'
import { evaluateArtifact } from '@pliant/train'
import { evaluateArtifacts } from '@pliant/train/unstable'
import type { Artifact } from 'pliant'
import { decode } from 'pliant'
import { describe, expect, it } from 'vitest'
import { BadInput } from '../../src/input/bad-input.js'
import { kindsWith, TRAINED_KINDS, type TrainedKinds, toolOf } from '../../src/kinds/index.js'

const shipped = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../apps/studio/public/artifacts/${name}`, import.meta.url)))

describe('kinds of trained files', () => {
  const touch = { kind: 'touch', manifest: { name: 'hand' } } as unknown as Artifact
  const onnx = (): Uint8Array<ArrayBuffer> => new Uint8Array(3)
  const kinds = { ...TRAINED_KINDS, touch: { onnx } } as TrainedKinds

  it('one that lacks a tool is refused in one line that names those which have it', () => {
    const refusal = (tool: 'violent' | 'sideBySide'): unknown => {
      try {
        return toolOf(touch, tool, kinds)
      } catch (error) {
        return error
      }
    }
    expect(refusal('violent')).toBeInstanceOf(BadInput)
    expect((refusal('violent') as Error).message).toBe(
      "hand is of kind 'touch', which cannot be judged by violent poses; pass one of 'linear-modes', 'elastic-body', 'character'.",
    )
    expect((refusal('sideBySide') as Error).message).toMatch(
      /cannot be judged beside others; pass one of 'linear-modes', 'elastic-body'\.$/,
    )
  })

  it('one that is added is found by what it has, and named to those that lack it', () => {
    expect(toolOf(touch, 'onnx', kinds)).toBe(onnx)
    const all = [
      'linear-modes',
      'elastic-body',
      'character',
      'self-contact',
      'character-contact',
      'shape-contact',
      'touch',
    ]
    expect(kindsWith('onnx', kinds)).toEqual(all)
    expect(kindsWith('contacts', kinds)).toEqual(['self-contact', 'character-contact', 'shape-contact'])
    expect(kindsWith('sideBySide', kinds)).toEqual(['linear-modes', 'elastic-body'])
  })

  it('a character is not judged beside other files, whichever way it is handed in', async () => {
    const bytes = shipped('humanoid.safetensors')
    await expect(evaluateArtifact(bytes)).rejects.toThrow(
      /is of kind 'character', should be 'linear-modes' or 'elastic-body'; pass another file\.$/,
    )
    await expect(evaluateArtifacts([await decode(bytes)])).rejects.toThrow(
      /is of kind 'character', which cannot be judged beside others; pass one of 'linear-modes', 'elastic-body'\.$/,
    )
  })
})
