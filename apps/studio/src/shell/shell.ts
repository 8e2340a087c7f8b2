/** The frame around all pages: brand, navigation, and which page the address asks for. */
import { Address } from './address.js'
import { element } from './element.js'
import type { MountedPage, Page, PageHost } from './page.js'
import type { Route } from './route.js'

/** Mounts the shell; the first page is shown where the address names none. */
export function startShell(root: HTMLElement, pages: readonly Page[]): void {
  const main = element('main', { id: 'page' })
  const links = new Map(pages.map((page) => [page.name, element('a', { href: `#/${page.name}` }, page.title)]))
  root.append(
    element(
      'header',
      { class: 'shell-bar' },
      element(
        'a',
        { class: 'brand', href: `#/${pages[0].name}` },
        element('span', { class: 'brand-mark', 'aria-hidden': 'true' }),
        element('span', {}, 'Pliant'),
      ),
      element('nav', { 'aria-label': 'Pages' }, ...links.values()),
    ),
    main,
  )

  let current: { page: Page; mounted: MountedPage | undefined } | undefined
  const address = new Address(window, (route) => void open(route))
  /** Files on their way from one page to another. */
  let handedOver: readonly File[] = []

  function hostFor(page: Page, route: Route): PageHost {
    const files = handedOver
    handedOver = []
    return {
      route,
      files,
      others: pages.filter((other) => other !== page),
      remember: (parameters) => {
        if (current?.page === page) address.remember({ page: page.name, parameters })
      },
      pageFor: (kind) => {
        const other = pages.find(({ takes }) => takes.includes(kind))
        if (!other || other === page) return undefined
        return {
          title: other.title,
          open: (sent) => {
            handedOver = sent
            address.go({ page: other.name, parameters: new Map() })
          },
        }
      },
    }
  }

  async function open(route: Route): Promise<void> {
    const page = pages.find(({ name }) => name === route.page) ?? pages[0]
    if (current?.page === page) {
      current.mounted?.show(route)
      return
    }
    current?.mounted?.unmount()
    address.forget()
    const opened: typeof current = { page, mounted: undefined }
    current = opened
    document.title = `${page.title} \u2013 Pliant studio`
    main.className = `page-${page.name}`
    for (const [name, link] of links) {
      if (name === page.name) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    main.replaceChildren(element('p', { class: 'quiet loading-page' }, `Loading ${page.title}\u2026`))
    try {
      const { mount } = await page.load()
      // Somebody may have gone on to another page meanwhile.
      if (current !== opened) return
      main.replaceChildren()
      main.scrollTop = 0
      opened.mounted = mount(main, hostFor(page, route))
    } catch (error) {
      if (current !== opened) return
      // A browser without WebGL, for one: say so rather than show an empty page.
      current = undefined
      const reason = error instanceof Error ? error.message : String(error)
      main.replaceChildren(element('p', { class: 'alert', role: 'alert' }, `This page cannot be shown here. ${reason}`))
    }
  }

  void open(address.route)
}
