/** What callers from plain JavaScript send by mistake to simulations: refused in one line that names it, nothing moved. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace, fieldSphere } from '../../src/field/analytic.js'
import { ElasticTouch, TOUCH_DEFAULTS } from '../../src/respond/index.js'
import { NEWTON_DEFAULTS, NewtonStepper } from '../../src/sim/fem/newton-stepper.js'
import {
  CLOTH_DEFAULTS,
  Cloth,
  clothGrid,
  FEM_DEFAULTS,
  FEM_MATERIAL_DEFAULTS,
  FemBody,
  PULL_DEFAULTS,
  REDUCED_WORLD_DEFAULTS,
  ReducedWorld,
} from '../../src/sim/index.js'
import { exactOf, SLAB_TOP, slab } from '../respond/scenes.js'
import { bar } from '../sim/fem/bars.js'
import { box } from '../sim/reduced/scenes.js'
import { refused } from './refused.js'

const cube = () => bar([0.1, 0.1, 0.1], [1, 1, 1])

/** Values that no option takes, whatever it is for. */
const BAD = [Number.NaN, '2000', null, -1, -Infinity, () => 1, Symbol.iterator] as unknown[]

const touch = (options: object) => {
  const [body, tool] = [slab(), new FemBody(bar([0.02, 0.02, 0.02], [1, 1, 1]))]
  return new ElasticTouch({ body, tool, bodyField: exactOf(body) }, options)
}

const pulled = (options: object) => {
  const body = box()
  return new ReducedWorld([body]).pull(body, 0, options)
}

const OPTIONS: [string, object, (options: object) => unknown][] = [
  ['cloth', CLOTH_DEFAULTS, (options) => new Cloth(clothGrid(3, 3), options)],
  ['fem', { ...FEM_DEFAULTS, contactStiffness: 1 }, (options) => new FemBody(cube(), options)],
  ['material', FEM_MATERIAL_DEFAULTS, (material) => new FemBody(cube(), { material })],
  ['fem', NEWTON_DEFAULTS, (options) => new NewtonStepper(new FemBody(cube())).step(0.01, options)],
  ['reduced world', REDUCED_WORLD_DEFAULTS, (options) => new ReducedWorld([], options)],
  ['pull', PULL_DEFAULTS, pulled],
  [
    'touch',
    { ...TOUCH_DEFAULTS, thickness: 1, stiffness: 1, handStiffness: 1, handDamping: 1, handForce: 1, substep: 1 },
    touch,
  ],
]

describe.each(OPTIONS)('options of %s', (what, defaults, make) => {
  it('are refused by name if they are of another type or out of range', () => {
    for (const name of Object.keys(defaults)) {
      for (const bad of BAD) {
        refused(() => make({ [name]: bad }), `${what}: ${name} is `, `${name} ${String(bad)}`)
      }
    }
  })

  it('are refused if there are none of that name, or are no object at all', () => {
    refused(() => make({ yuong: 2000 }), `${what}: there is no option 'yuong'; choose from `, 'unknown')
    for (const bad of [null, 5, 'soft'] as never[]) refused(() => make(bad), / is | are /, String(bad))
  })

  it('given as undefined count as not given', () => {
    make(Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined])))
  })
})

const DURATIONS = [undefined, null, Number.NaN, '0.01', {}, [0.01]] as unknown as number[]

describe('a cloth', () => {
  it('refuses durations, wind and positions that are none, by name, and has not moved', () => {
    const cloth = new Cloth(clothGrid(4, 4))
    for (const bad of DURATIONS) refused(() => cloth.step(bad), 'cloth: the frame lasts ', String(bad))
    for (const bad of [[0, Number.NaN, 0], [0, 0], 'west', undefined, [0, '1', 0]] as never[]) {
      cloth.wind = bad
      refused(() => cloth.step(0.01), 'cloth: wind is ', String(bad))
    }
    cloth.wind = [0, 0, 0]
    for (let i = 0; i < cloth.positions.length; i++) {
      for (const bad of [Number.NaN, Infinity]) {
        const [before, whole] = [cloth.positions.slice(), cloth.positions[i]]
        cloth.positions[i] = bad
        refused(() => cloth.step(0.01), `cloth: position of vertex ${Math.trunc(i / 3)} is ${bad}; `, `${i}`)
        cloth.positions[i] = whole
        expect(cloth.positions).toEqual(before)
      }
    }
    cloth.step(0.01)
    expect(cloth.positions.every(Number.isFinite)).toBe(true)
  })

  it('refuses attachments and meshes that are none', () => {
    const cloth = new Cloth(clothGrid(4, 4))
    for (const bad of [[16], [-1], [1.5], ['0'], [undefined], undefined, null, 3] as never[]) {
      refused(() => cloth.attach(bad), /^cloth: (the )?attached vertex/, String(bad))
    }
    cloth.attach([0, 3])
    for (const bad of [[0, 0, 0, 0, 0, 0], new Float64Array(3), undefined] as never[]) {
      refused(() => cloth.moveAttached(bad), '2 attachments', String(bad))
    }
    refused(() => cloth.moveAttached(Float64Array.of(0, 0, 0, 0, Infinity, 0)), 'attachment 1 is Infinity', 'target')
    const { positions, triangles } = clothGrid(3, 3)
    for (const mesh of [undefined, {}, { positions: [...positions], triangles }, { positions, triangles: [0, 1, 2] }]) {
      refused(() => new Cloth(mesh as never), /^cloth: (positions is|its corners are) /, 'mesh')
    }
  })
})

describe('an elastic body', () => {
  it('refuses durations, positions and forces that are none, by name, and has not moved', () => {
    for (const kernel of ['simd', 'plain'] as const) {
      const body = new FemBody(cube(), { kernel })
      for (const bad of DURATIONS) refused(() => body.step(bad), 'fem: the frame lasts ', String(bad))
      for (const [name, values, size] of [
        ['position', body.positions, 3],
        ['force', body.forces, 3],
        ['force stiffness', body.forceStiffness, 6],
      ] as const) {
        for (let i = 0; i < values.length; i++) {
          const [before, whole] = [body.positions.slice(), values[i]]
          values[i] = i % 2 === 0 ? Number.NaN : -Infinity
          refused(
            () => body.step(0.01),
            `fem: ${name} of node ${Math.trunc(i / size)} is ${values[i]}; `,
            `${name} ${i}`,
          )
          values[i] = whole
          expect(body.positions).toEqual(before)
        }
      }
      body.step(0.01)
      expect(body.positions.every(Number.isFinite)).toBe(true)
    }
  })

  it('refuses pins, obstacles and meshes that are none', () => {
    const body = new FemBody(cube())
    for (const bad of [[8], [-1], [0.5], ['0'], undefined, null, 3] as never[]) {
      refused(() => body.pin(bad), /^fem: (the )?pinned node/, String(bad))
    }
    body.pin([0])
    for (const bad of [[0, 0, 0], new Float64Array(2), undefined] as never[]) {
      refused(() => body.movePinned(bad), '1 pins', String(bad))
    }
    const ball = fieldSphere([0, 0, 0], 1)
    for (const bad of [
      undefined,
      null,
      5,
      'sphere',
      {},
      ball,
      { kind: 'sphere', centre: [0, 0, 0], radius: 1 },
      { field: undefined },
      { field: null },
      { field: 5 },
      { field: {} },
      { field: { gradient: 5 } },
    ]) {
      const wanted = /^fem: obstacle 0 is .*; give { field }, /
      refused(() => body.setObstacles([bad as never]), wanted, JSON.stringify(bad))
      refused(() => new FemBody(cube(), { obstacles: [bad as never] }), wanted, JSON.stringify(bad))
    }
    // What is named is what is wrong.
    const second = [{ field: ball }, {}] as never
    refused(() => body.setObstacles(second), 'fem: obstacle 1 is Object; ', 'the second')
    const point = [0, 0, 0] as const
    refused(() => fieldHalfSpace([0, 0, 0], 0), 'half-space normal length is 0; ', 'no direction')
    refused(() => fieldHalfSpace([0, 1, 0], Number.NaN), 'coordinate 0 is NaN; ', 'offset')
    refused(() => fieldSphere(point, '1' as never), "sphere radius is '1'; ", 'radius')
    refused(() => fieldSphere(undefined as never, 1), 'sphere centre: undefined', 'no centre')
    refused(() => fieldSphere([0, 0] as never, 1), 'sphere centre: Array of 2', 'two coordinates')
    const { positions, tetrahedra } = cube()
    for (const mesh of [undefined, {}, { positions: [...positions], tetrahedra }, { positions, tetrahedra: [0] }]) {
      refused(() => new FemBody(mesh as never), /^fem: (positions is|its corners are) /, 'mesh')
    }
  })
})

describe('touch', () => {
  it('refuses durations, hands and wrists that are none', () => {
    const body = slab()
    const tool = new FemBody(bar([0.02, 0.02, 0.02], [1, 1, 1]))
    for (const wrist of [[8], [0.5], ['1'], 3, 'all'] as never[]) {
      refused(() => new ElasticTouch({ body, tool, bodyField: exactOf(body), wrist }), /wrist node/, String(wrist))
    }
    for (const pair of [{}, { body }, { body, tool }, { body, tool: {}, bodyField: exactOf(body) }] as never[]) {
      refused(() => new ElasticTouch(pair), 'touch: body, tool or bodyField is missing; ', 'pair')
    }
    const held = new ElasticTouch({ body, tool, bodyField: exactOf(body), wrist: [0, 1] })
    for (const bad of DURATIONS) refused(() => held.step(bad), 'touch: the frame lasts ', String(bad))
    for (const bad of [undefined, null, [0, Number.NaN, 0], [0, 0], ['0', 0, 0]] as never[]) {
      refused(() => held.moveHand(bad, [0, 0, 0, 1]), 'touch: the hand is to go to ', String(bad))
    }
    refused(() => held.moveHand([0, SLAB_TOP, 0], undefined as never), 'touch: the hand is to go to ', 'rotation')
  })

  it('refuses a body whose position is not finite', () => {
    const held = touch({})
    held.pair.body.positions[7] = Number.NaN
    refused(() => held.step(0.01), 'node 2 is NaN', 'body')
    held.pair.body.positions[7] = 0
    held.pair.tool.positions[4] = Infinity
    refused(() => held.step(0.01), /(node|vertex) \d is Infinity/, 'tool')
  })
})
