import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import { findProperty, toItems } from '../config/literal.ts'
import { MAX_REDIRECTS, toRedirect } from '../frameworks/build-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'

/**
 * Adds the redirects that a site's host reads from `vercel.json`, `netlify.toml` or `_redirects`,
 * in the site's root or public folders.
 */
export async function addHostRedirects(files: ConfigFiles, site: Site): Promise<Site> {
  const list: SiteRedirect[] = [...site.redirects.list]
  const places: string[] = [...site.redirects.files]
  for (const folder of new Set(['', site.root, ...site.publicFolders])) {
    const prefix = folder === '' ? '' : `${folder}/`
    for (const name of ['vercel.json', '_redirects', 'netlify.toml']) {
      const path = `${prefix}${name}`
      const file = places.includes(path) ? null : await files.open(path)
      if (file === null) continue
      const found =
        name === 'vercel.json'
          ? toItems(findProperty(file.literal, 'redirects')).flatMap((item) => {
              const at = { file, literal: item }
              return toRedirect(files, at, findProperty(item, 'source'), findProperty(item, 'destination')) ?? []
            })
          : name === '_redirects'
            ? readRedirectLines(path, file.text)
            : readNetlify(files, file)
      // New redirects can be added to `_redirects`, and to the other files only if they already
      // contain redirects.
      if (found.length === 0 && name !== '_redirects') continue
      list.push(...found)
      places.push(path)
    }
  }
  return { ...site, redirects: { ...site.redirects, list: list.slice(0, MAX_REDIRECTS), files: places } }
}

function readRedirectLines(file: string, text: string): SiteRedirect[] {
  return text.split('\n').flatMap((row, index) => {
    const [source, ...rest] = row.trim().split(/\s+/)
    // Parameters of the request before the destination, and its country, language or role at the end.
    const isCondition = (word: string) => /^[\w-]+=/.test(word)
    const [destination, status = '301'] = rest.filter((word) => !isCondition(word))
    if (source === undefined || destination === undefined || !source.startsWith('/')) return []
    const pattern = /[*:]/.test(source) || !/^30\d!?$/.test(status)
    const redirect = { file, line: index + 1, source, destination, pattern }
    return [rest.some(isCondition) ? { ...redirect, isConditional: true } : redirect]
  })
}

function readNetlify(files: ConfigFiles, file: ConfigFile): SiteRedirect[] {
  return toItems(findProperty(file.literal, 'redirects')).flatMap((item): SiteRedirect[] => {
    const at = { file, literal: item }
    const redirect = toRedirect(files, at, findProperty(item, 'from'), findProperty(item, 'to'))
    const status = findProperty(item, 'status')
    const isRedirect = status === null || (status.kind === 'scalar' && /^30\d$/.test(String(status.value)))
    return redirect === null ? [] : [{ ...redirect, pattern: redirect.pattern || !isRedirect }]
  })
}
