import type { ContentFolder } from './site.ts'

/**
 * Returns the routes of a page whose name may end with a language: `guide.fr` has the route
 * `fr/guide`, and `guide.en` the route `guide` if `en` is the main language.
 */
export function toSuffixRoutes({ suffixes = [] }: ContentFolder, route: string): string[] {
  const dot = route.lastIndexOf('.')
  const language = route.slice(dot + 1)
  if (dot === -1 || !suffixes.includes(language)) return [route]
  const plain = route.slice(0, dot)
  return [language === suffixes[0] ? plain : `${language}/${plain}`]
}
