/** What the shell asks of a page. */
import type { FileKind } from './files/file-kind.js'
import type { Route } from './route.js'

/** A page as it is registered: its code is fetched when it is first shown. */
export interface Page {
  /** Its place in the address. */
  readonly name: string
  readonly title: string
  /** What to see there, for links to it. */
  readonly line: string
  /** Kinds of file that it opens; files of these kinds are sent here from other pages. */
  readonly takes: readonly FileKind[]
  load(): Promise<PageModule>
}

export interface PageModule {
  mount(root: HTMLElement, host: PageHost): MountedPage
}

export interface PageHost {
  /** The address when the page was opened. */
  readonly route: Route
  /** The other pages, to link to. */
  readonly others: readonly Page[]
  /** Files that another page sent here; empty if none. */
  readonly files: readonly File[]
  /** Keeps what is on show in the address, so that a view can be shared; not a step in the history. */
  remember(parameters: ReadonlyMap<string, string>): void
  /** Another page that opens files of a kind, if there is one. */
  pageFor(kind: FileKind): OtherPage | undefined
}

export interface OtherPage {
  readonly title: string
  /** Goes there and opens the files. */
  open(files: readonly File[]): void
}

export interface MountedPage {
  /** The address was edited, or the browser went back. */
  show(route: Route): void
  unmount(): void
}
