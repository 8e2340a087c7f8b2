/** Options that several suites take, in the same words. */
import type { SuiteOption } from '../suite/inputs.js'
import { JOINTS_OPTION } from './limb-ends.js'

/** Read by `readCharacter`, beside `motion` and `paper`. */
export const CHARACTER_OPTIONS = {
  file: { value: 'FILE', help: 'the trained character (default: the built-in humanoid)' },
  joints: JOINTS_OPTION,
} as const satisfies Record<string, SuiteOption>

export const PAPER_OPTION: SuiteOption = {
  value: 'FILE',
  help: "the paper's network of it, from train --method paper",
}
