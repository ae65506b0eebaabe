import type { DocPage } from './read-page.ts'

/**
 * Returns the addresses that a page may have relative to its content folder. Covers the rules of
 * all frameworks at once; a page has more addresses here than on its site.
 */
export function toRoutes(inner: string, page: DocPage | null): string[] {
  const bare = inner.replace(/\.\w+$/, '')
  const routes = new Set<string>()
  const add = (route: string) => {
    const parts = route.split('/').filter((part) => part !== '' && !/^\(.*\)$/.test(part))
    const last = parts.at(-1)?.toLowerCase()
    if (last === 'index' || last === 'readme' || last === '_index' || last === 'page') parts.pop()
    else if (parts.length > 1 && last === parts.at(-2)?.toLowerCase()) routes.add(`/${parts.slice(0, -1).join('/')}`)
    routes.add(`/${parts.join('/')}`)
  }
  add(bare)
  add(bare.replaceAll(/(^|\/)\d+\s*[-_.]+\s*(?=[^\d\s/])/g, '$1'))
  add(bare.toLowerCase().replaceAll(/[^\p{L}\p{N}/_-]/gu, ''))
  add(bare.replace(/\.[a-z]{2}(?:-[A-Z]{2})?$/, ''))
  for (const key of ['slug', 'id', 'url']) {
    const value = page?.front[key]
    if (typeof value !== 'string' || value === '') continue
    const folder = inner.includes('/') ? inner.slice(0, inner.lastIndexOf('/') + 1) : ''
    add(value)
    if (!value.startsWith('/')) add(folder + value)
    if (!value.startsWith('/')) add(folder.replaceAll(/(^|\/)\d+\s*[-_.]+\s*/g, '$1') + value)
  }
  return [...routes].map((route) => route.replace(/(.)\/$/, '$1'))
}
