/** Goals of vertices as they are typed. */
import { describe, expect, it } from 'vitest'
import { UsageError } from '../src/errors.js'
import { readTargets } from '../src/targets.js'
import { isOneLine } from './run-pliant.js'

describe('--target', () => {
  it('is a vertex and its place, or several', () => {
    expect(readTargets('123=0.1,-2e-1,.3', 200, 'a')).toEqual([{ vertex: 123, place: [0.1, -0.2, 0.3] }])
    expect(readTargets(' 0 = 1, 2 ,3 ;199=0,0,0; ', 200, 'a').map(({ vertex }) => vertex)).toEqual([0, 199])
  })

  it.each([
    ['12', "repair: --target '12' has no '='; write VERTEX=X,Y,Z, in metres."],
    ['1=2=3', "repair: --target '1=2=3' has more than one '='; write VERTEX=X,Y,Z, in metres."],
    ['tip=1,2,3', "repair: --target 'tip=1,2,3': vertex 'tip' is no whole number; write"],
    ['1.5=1,2,3', "vertex '1.5' is no whole number; write"],
    ['=1,2,3', "vertex '' is no whole number; write"],
    ['1=0,0,0;200=1,2,3', "repair: --target '200=1,2,3': hand.safetensors has 200 vertices; give one from 0 to 199."],
    ['-1=1,2,3', 'give one from 0 to 199.'],
    ['1=1,2', "repair: --target '1=1,2' has 2 coordinates; write VERTEX=X,Y,Z, in metres."],
    ['1=1,x,3', "repair: --target '1=1,x,3': 'x' is no number; write VERTEX=X,Y,Z, in metres."],
    ['1=1,,3', "'' is no number; write"],
    ['1=1,Infinity,3', "'Infinity' is no number; write"],
    [' ; ', "repair: --target is ' ; '; write VERTEX=X,Y,Z, in metres."],
    ['1=1,2,3;1=3,2,1', 'repair: --target names vertex 1 twice; keep one.'],
  ])('%s is refused in one line', (text, message) => {
    let refusal: unknown
    try {
      readTargets(text, 200, 'hand.safetensors')
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(UsageError)
    expect((refusal as Error).message).toContain(message)
    expect(isOneLine(`pliant: ${(refusal as Error).message}\n`)).toBe(true)
  })
})
