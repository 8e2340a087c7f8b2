/** The box of codes that a file was trained in. */
import { wrong } from '../checks.js'
import type { Envelope } from '../manifest.js'

/** Outside its box the field answers as on it, so there must be one. @throws Error naming the end that is wrong */
export function requireBox({ size, lower, upper }: Envelope['code']): void {
  if (size < 1) throw wrong('code.size', size, '1 or more')
  const flat = upper.findIndex((end, k) => !(end > lower[k]))
  if (flat >= 0) throw wrong(`code.upper[${flat}]`, upper[flat], `more than the lower end, ${lower[flat]}`)
}
