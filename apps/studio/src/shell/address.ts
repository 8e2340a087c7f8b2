/** The address after '#', read when it changes and rewritten as the page on show changes. */
import { type Route, readRoute, writeRoute } from './route.js'

/** Browsers refuse more than about six changes of address a second. */
export const REMEMBER_DELAY_MS = 300

/** What an address needs of a window. */
export interface AddressWindow {
  readonly location: { hash: string }
  readonly history: { replaceState(state: null, unused: string, url: string): void }
  addEventListener(type: 'hashchange', listener: () => void): void
}

export class Address {
  /** The last address that was read or written here. */
  #known: string
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly window: AddressWindow,
    onChange: (route: Route) => void,
  ) {
    this.#known = window.location.hash
    window.addEventListener('hashchange', () => {
      this.forget()
      this.#known = window.location.hash
      onChange(this.route)
    })
  }

  get route(): Route {
    return readRoute(this.#known)
  }

  /** Goes to another place: the page hears of it as if the link had been followed. */
  go(route: Route): void {
    this.window.location.hash = writeRoute(route)
  }

  /** Writes what is on show, soon, without a new entry in the history. */
  remember(route: Route): void {
    this.forget()
    this.#timer = setTimeout(() => {
      // Somebody went elsewhere and the browser has not told us yet: writing now would lose where they went.
      if (this.window.location.hash !== this.#known) return
      this.window.history.replaceState(null, '', writeRoute(route))
      this.#known = this.window.location.hash
    }, REMEMBER_DELAY_MS)
  }

  forget(): void {
    clearTimeout(this.#timer)
  }
}
