import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Address, REMEMBER_DELAY_MS } from '../../src/shell/address.js'
import type { Route } from '../../src/shell/route.js'

/** A window whose `hashchange` is told later than the address changes, as browsers do. */
function slowWindow(hash: string) {
  const listeners: (() => void)[] = []
  const location = { hash }
  return {
    location,
    history: {
      replaceState: (_state: null, _unused: string, url: string) => {
        location.hash = url
      },
    },
    addEventListener: (_type: 'hashchange', listener: () => void) => void listeners.push(listener),
    tell: () => {
      for (const listener of listeners) listener()
    },
  }
}

const route = (at: string): Route => ({ page: 'field', parameters: new Map([['at', at]]) })

describe('address', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('writes the last of many routes, once', () => {
    const window = slowWindow('#/field')
    const address = new Address(window, () => expect.unreachable('nobody went elsewhere'))
    address.remember(route('1'))
    address.remember(route('2'))
    expect(window.location.hash).toBe('#/field')
    vi.advanceTimersByTime(REMEMBER_DELAY_MS)
    expect(window.location.hash).toBe('#/field?at=2')
    expect(address.route).toEqual(route('2'))
  })

  it('does not lose where somebody went, when a route was to be written meanwhile', () => {
    const window = slowWindow('#/field')
    const went: Route[] = []
    const address = new Address(window, (to) => void went.push(to))
    address.remember(route('1'))
    window.location.hash = '#/field?at=7'
    vi.advanceTimersByTime(REMEMBER_DELAY_MS)
    window.tell()
    expect(went).toEqual([route('7')])
    expect(window.location.hash).toBe('#/field?at=7')
  })

  it('writes again after somebody went elsewhere, and drops what was waiting', () => {
    const window = slowWindow('#/field')
    const address = new Address(window, () => {})
    address.remember(route('1'))
    window.location.hash = '#/field?at=7'
    window.tell()
    vi.advanceTimersByTime(2 * REMEMBER_DELAY_MS)
    expect(window.location.hash).toBe('#/field?at=7')
    address.remember(route('8'))
    vi.advanceTimersByTime(REMEMBER_DELAY_MS)
    expect(window.location.hash).toBe('#/field?at=8')
  })

  it('is silent after forget', () => {
    const window = slowWindow('#/field')
    const address = new Address(window, () => {})
    address.remember(route('1'))
    address.forget()
    vi.advanceTimersByTime(REMEMBER_DELAY_MS)
    expect(window.location.hash).toBe('#/field')
  })
})
