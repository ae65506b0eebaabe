import type { Literal } from '../config/literal.ts'

/** Matches options that name where a plugin's pages are served or generated. */
const PLACE =
  /^(?:base|basePath|baseUrl|route|routePath|routeBasePath|path|prefix|slug|out|outDir|output|outputDir|directory)$/i
/** Words in package names that do not name what the plugin adds. */
const COMMON = /^(?:plugins?|theme|preset|content|the|for|docs?|js)$/
const MAX_URLS = 50

/**
 * Returns the URLs at which a plugin may add pages (`Site.openUrls`). The code of plugins is not in
 * the repository, so this relies on conventions: plugins serve pages at a path from their options,
 * or else at their name (`starlight-blog` at `/blog`), in each language.
 */
export function findPluginUrls(name: string, options: readonly Literal[]): string[] {
  const own = name.replace(/^@[^/]*\//, '').split(/[-_/.]/)
  const words = own.filter((word) => word !== '' && !COMMON.test(word))
  const isReference = words.some((word) => /api|redoc|swagger|graphql|typedoc|jsdoc/i.test(word))
  const places = [...words, words.join('-'), ...(isReference ? ['api', 'reference'] : []), ...findPlaces(options)]
  const paths = places.map((place) => place.replace(/^[./]+|(?<!\/)\/+$/g, '')).filter((path) => path !== '')
  return [...new Set(paths)].slice(0, MAX_URLS).flatMap((path) => [`${path}/**`, `*/${path}/**`])
}

function findPlaces(options: readonly Literal[]): string[] {
  const places: string[] = []
  const open = [...options]
  for (let at = open.pop(); at !== undefined && places.length < MAX_URLS; at = open.pop()) {
    if (at.kind === 'array') for (const item of at.items) open.push(item)
    if (at.kind !== 'object') continue
    for (const { key, value } of at.properties) {
      // Other folders and hosts are input.
      if (value.kind === 'string' && PLACE.test(key) && !/^(?:[a-z]+:|\.\.)/i.test(value.value))
        places.push(value.value)
      open.push(value)
    }
  }
  return places
}
