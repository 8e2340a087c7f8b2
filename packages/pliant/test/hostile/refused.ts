import { expect } from 'vitest'

/** Calls something that must be refused by a RangeError of one line: `what: which value; what to do.` */
export function refused(call: () => unknown, names: string | RegExp, what: string): void {
  let message = ''
  try {
    call()
  } catch (error) {
    expect(error, what).toBeInstanceOf(RangeError)
    message = (error as Error).message
  }
  expect(message, what).toMatch(names)
  expect(message, what).toMatch(/^[^\n]+: [^\n]+; [^\n]+\.$/)
}
