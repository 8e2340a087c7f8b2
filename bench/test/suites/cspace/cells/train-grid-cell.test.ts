import { expect, test } from 'vitest'
import { untilNotStuck } from '../../../../src/suites/cspace/cells/train-grid-cell.js'

/** What seeds 1, 2 ... give: right signs, and whether stuck. */
const given =
  (...tries: [signAccuracy: number, isStuck: boolean][]) =>
  async (seed: number) => ({ seed, labels: 10, signAccuracy: tries[seed - 1][0], isStuck: tries[seed - 1][1] })

test('a network that is not stuck is taken as it is, whatever others might have given', async () => {
  expect(await untilNotStuck(given([0.8, false], [0.9, false]), 4)).toMatchObject({ tries: 1, best: { seed: 1 } })
})

test('one that is stuck is tried again until one is not, though that be right less often', async () => {
  const tries = given([0.96, true], [0.95, true], [0.94, false], [0.99, false])
  expect(await untilNotStuck(tries, 4)).toMatchObject({ tries: 3, best: { seed: 3, signAccuracy: 0.94 } })
})

test('of those that are all stuck the most right one is told', async () => {
  expect(await untilNotStuck(given([0.6, true], [0.7, true], [0.65, true]), 3)).toMatchObject({
    tries: 3,
    best: { seed: 2, signAccuracy: 0.7 },
  })
})
