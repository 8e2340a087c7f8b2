import { describe, expect, it } from 'vitest'
import { nameOfCell, parseCells, tableCells } from '../../../../src/suites/cspace/cells/cell-name.js'

const names = (text: string): string[] => parseCells(text).map(nameOfCell)

describe('names of cells', () => {
  it('name one network, or all that begin so, each once', () => {
    expect(names('bracelet-7-paper')).toEqual(['bracelet-7-paper-1'])
    expect(names('bunny-10-ours-23')).toEqual(['bunny-10-ours-23'])
    expect(names('snake-3, spring-4-ours,snake-3-ours')).toEqual([
      'snake-3-paper-1',
      'snake-3-ours-1',
      'spring-4-ours-1',
    ])
    expect(names('bunny')).toEqual([3, 5, 7].flatMap((modes) => [`bunny-${modes}-paper-1`, `bunny-${modes}-ours-1`]))
    expect(names('grid-snake-5-2x70')).toEqual(['grid-snake-5-2x70'])
    expect(names('grid-snake-5')).toHaveLength(15)
    expect(names('grid-snake')).toHaveLength(5 * 15)
    expect(names('grid')).toHaveLength(2 * 5 * 15)
  })

  it('all: three bodies at 3, 5 and 7 modes by both methods, few modes first', () => {
    expect(names('all')).toEqual(tableCells().map(nameOfCell))
    expect(names('all')).toHaveLength(18)
    expect(
      new Set(
        names('all')
          .slice(0, 6)
          .map((name) => name.split('-')[1]),
      ),
    ).toEqual(new Set(['3']))
  })

  it("images: both methods as they are and ours with the paper's network, or one of them", () => {
    const of = (image: string): string[] => ['paper', 'ours', 'ours-2x70'].map((rest) => `image-${image}-${rest}`)
    expect(names('image')).toEqual([...of('pear'), ...of('leaf')])
    expect(names('image-leaf')).toEqual(of('leaf'))
    expect(names('image-leaf-ours')).toEqual(['image-leaf-ours'])
    expect(names('image-leaf-ours-2x70,image-pear-paper-4x64')).toEqual([
      'image-leaf-ours-2x70',
      'image-pear-paper-4x64',
    ])
    expect(parseCells('image-pear-paper')).toEqual([{ kind: 'image', image: 'pear', method: 'paper' }])
    expect(names('all').filter((name) => name.startsWith('image'))).toEqual([])
  })

  it.each([
    '',
    'snake-3,',
    'dragon-3',
    'snake-1',
    'snake-11',
    'snake-3-theirs',
    'snake-3-ours-x',
    'snake-3-ours-1-2',
    'snake--ours',
    'grid-dragon',
    'grid-snake-5-2x',
    'grid-snake-5-0x70',
    'grid-snake-5-2x70-1',
    'image-cat',
    'image-leaf-theirs',
    'image-leaf-ours-1',
    'image-leaf-ours-2x70-1',
  ])("refuses '%s' in one line that lists the forms", (text) => {
    expect(() => parseCells(text)).toThrow(
      /^reproduce: there is no cell '[^\n]*'; --cells takes all, BODY, BODY-MODES, .*METHOD paper or ours, IMAGE pear or leaf\.$/,
    )
  })
})
