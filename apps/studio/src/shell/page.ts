/** What the shell asks of a page. */
import type { Route } from './route.js'

export interface Page {
  /** Its place in the address. */
  readonly name: string
  readonly title: string
  mount(root: HTMLElement, host: PageHost): MountedPage
}

export interface PageHost {
  /** The address when the page was opened. */
  readonly route: Route
  /** Keeps what is on show in the address, so that a view can be shared; not a step in the history. */
  remember(parameters: ReadonlyMap<string, string>): void
}

export interface MountedPage {
  /** The address was edited, or the browser went back. */
  show(route: Route): void
  unmount(): void
}
