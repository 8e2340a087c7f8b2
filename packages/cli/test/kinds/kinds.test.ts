/**
 * A made-up kind that answers codes instead of points, registered here alone: each verb that does not apply to it must
 * say so in one line that names the kinds it is for, without anybody listing them.
 */
import type { Artifact, KindName } from 'pliant'
import { describe, expect, it } from 'vitest'
import { Arguments } from '../../src/arguments.js'
import { readAskedState } from '../../src/asked-state.js'
import { EXIT, exitCodeOf } from '../../src/errors.js'
import { commandOf, commandsOf, KINDS, type Kinds } from '../../src/kinds/index.js'
import type { KindCommands } from '../../src/kinds/kind-commands.js'
import { requireTaken } from '../../src/kinds/taken-options.js'

const fail = (): never => {
  throw new Error('not to be called')
}

const touch: KindCommands = {
  one: 'self-contact model',
  many: 'self-contact models',
  madeBy: 'pliant train touch.json',
  inspect: fail,
  trained: fail,
  evaluate: { options: ['min-sign'], judge: fail },
}
const kinds = { ...KINDS, touch } as Kinds
const ofKind = (kind: string): Artifact => ({ kind: kind as KindName }) as Artifact
const given = (...names: string[]): Arguments => new Arguments('verb', [], new Map(names.map((name) => [name, 'x'])))

async function refusalOf(act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    expect(exitCodeOf(error)).toBe(EXIT.usage)
    return (error as Error).message
  }
  return 'taken'
}

describe('a kind that does not take a verb', () => {
  it('is refused by name, with the kinds that do and what it takes itself', async () => {
    expect(await refusalOf(() => commandOf('hand.safetensors', ofKind('touch'), 'query', undefined, kinds))).toBe(
      'query: hand.safetensors is no object with modes, soft body or character but a self-contact model; it takes inspect and evaluate.',
    )
    expect(await refusalOf(() => commandOf('bar.safetensors', ofKind('linear-modes'), 'gltf', 'do that', kinds))).toBe(
      'export --gltf: bar.safetensors is no character but an object with modes; do that.',
    )
  })

  it('is taken by the verbs that it has', () => {
    expect(commandOf('hand.safetensors', ofKind('touch'), 'evaluate', undefined, kinds)).toBe(touch.evaluate)
    expect(commandsOf(ofKind('touch'), kinds)).toBe(touch)
  })
})

describe('options that are not for every kind', () => {
  it('those that say a shape are refused with the kinds that they are for, and what to pass instead', async () => {
    const ask = (kind: KindName, option: string) =>
      refusalOf(() => readAskedState('a.safetensors', ofKind(kind), commandsOf(ofKind(kind)).query!, given(option)))
    expect(await ask('character', 'nodes')).toBe(
      'query: --nodes is for soft bodies, a.safetensors is none; pass --code.',
    )
    const motion = 'query: --motion is for characters, a.safetensors is none; pass --code.'
    expect(await ask('linear-modes', 'motion')).toBe(motion)
    expect(await ask('elastic-body', 'clip')).toBe(motion)
  })

  it('those of evaluate are refused together with others of the same kinds', async () => {
    const evaluate = (kind: string, ...options: string[]) =>
      refusalOf(() => requireTaken(given(...options), commandsOf(ofKind(kind), kinds).evaluate!, kinds))
    expect(await evaluate('elastic-body', 'noise')).toBe(
      'evaluate: --motion, --noise and --rivals are for characters; leave them out.',
    )
    expect(await evaluate('character', 'against', 'rivals')).toBe(
      'evaluate: --against is for objects with modes and soft bodies; leave it out.',
    )
    expect(await evaluate('touch', 'max-normal', 'min-sign')).toBe(
      'evaluate: --max-error, --max-normal, --poses, --points and --violent are for objects with modes, soft bodies and characters; leave them out.',
    )
    expect(await evaluate('linear-modes', 'codes', 'poses')).toBe(
      'evaluate: --codes, --min-balanced and --max-false-negatives are for bodies with self-contact, characters with self-contact and spaces of shapes with self-contact; leave them out.',
    )
    expect(await evaluate('touch', 'min-sign')).toBe('taken')
    expect(await evaluate('self-contact', 'codes', 'min-sign', 'max-false-negatives')).toBe('taken')
    expect(await evaluate('character', 'motion', 'noise', 'rivals', 'violent', 'max-error')).toBe('taken')
  })
})
