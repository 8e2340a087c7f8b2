/** The frame around all pages: brand, navigation, and which page the address asks for. */
import { element } from './element.js'
import type { MountedPage, Page } from './page.js'
import { type Route, readRoute, writeRoute } from './route.js'

/** Browsers refuse more than about six changes of address a second. */
const REMEMBER_DELAY_MS = 300

/** Mounts the shell; the first page is shown where the address names none. */
export function startShell(root: HTMLElement, pages: readonly Page[]): void {
  const main = element('main', { id: 'page' })
  const links = new Map(pages.map((page) => [page.name, element('a', { href: `#/${page.name}` }, page.title)]))
  root.append(
    element(
      'header',
      { class: 'shell-bar' },
      element(
        'span',
        { class: 'brand' },
        element('span', { class: 'brand-mark', 'aria-hidden': 'true' }),
        'Pliant studio',
      ),
      element('nav', { 'aria-label': 'Pages' }, ...links.values()),
    ),
    main,
  )

  let current: { page: Page; mounted: MountedPage } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const remember = (page: Page, parameters: ReadonlyMap<string, string>): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (current?.page === page) history.replaceState(null, '', writeRoute({ page: page.name, parameters }))
    }, REMEMBER_DELAY_MS)
  }
  const open = (route: Route): void => {
    const page = pages.find(({ name }) => name === route.page) ?? pages[0]
    if (current?.page === page) {
      current.mounted.show(route)
      return
    }
    current?.mounted.unmount()
    main.replaceChildren()
    document.title = `${page.title} \u2013 Pliant studio`
    for (const [name, link] of links) {
      if (name === page.name) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    try {
      const mounted = page.mount(main, { route, remember: (parameters) => remember(page, parameters) })
      current = { page, mounted }
    } catch (error) {
      // A browser without WebGL, for one: say so rather than show an empty page.
      current = undefined
      const reason = error instanceof Error ? error.message : String(error)
      main.replaceChildren(element('p', { class: 'alert', role: 'alert' }, `This page cannot be shown here. ${reason}`))
    }
  }
  addEventListener('hashchange', () => {
    clearTimeout(timer)
    open(readRoute(location.hash))
  })
  open(readRoute(location.hash))
}
