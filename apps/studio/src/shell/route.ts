/** The address after '#': a page's name and its parameters, as in `#/field?object=bar&code=0.5,0,-1`. */
export interface Route {
  page: string
  parameters: ReadonlyMap<string, string>
}

export function readRoute(hash: string): Route {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { page: path, parameters: new Map(new URLSearchParams(query)) }
}

export function writeRoute({ page, parameters }: Route): string {
  const query = new URLSearchParams([...parameters]).toString()
  // Commas need no escape in a fragment, and an address is read by people.
  return `#/${page}${query ? `?${query.replaceAll('%2C', ',')}` : ''}`
}
