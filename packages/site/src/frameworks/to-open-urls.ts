import { toInner } from '../pages/paths.ts'

/**
 * Returns the URLs (`Site.openUrls`) of dynamic routes such as `partners/[id].md`. `route` matches
 * the end of files that are routes. A route that consists only of parameters is omitted: it renders
 * the pages of the site, and it cannot be distinguished from an unknown URL.
 */
export function toOpenUrls(paths: readonly string[], folder: string, route: RegExp): string[] {
  const urls = paths.flatMap((path) => {
    if (!path.includes('[') || !route.test(path)) return []
    const parts = toInner(path, folder)
      .replace(route, '')
      .split('/')
      .filter((part, at, all) => part !== '' && !(at === all.length - 1 && part === 'index') && !/^\(.*\)$/.test(part))
    const rest = parts.findIndex((part) => part.includes('[...'))
    const segments = (rest === -1 ? parts : parts.slice(0, rest)).map((part) => (part.includes('[') ? '*' : part))
    const isStatic = segments.some((part) => part !== '*')
    return isStatic ? [[...segments, ...(rest === -1 ? [] : ['**'])].join('/')] : []
  })
  return [...new Set(urls)]
}
