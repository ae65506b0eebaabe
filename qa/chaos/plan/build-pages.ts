/** Returns the test site's pages by path. Each page has one marker that jobs replace. */
export function buildPages(count: number): Map<string, string> {
  const page = (n: number) =>
    `---\ntitle: Page ${n}\ndescription: About page ${n}\n---\n\n${toMarker(n)}\n\nSee [the next one](/page-${(n + 1) % count}).\n`
  const pages = Array.from({ length: count }, (_, n): [string, string] => [toPath(n), page(n)])
  return new Map([...pages, ['README.md', '# Docs\n']])
}

export const toMarker = (n: number): string => `Marker ${n} stands here.`
export const toPath = (n: number): string => `page-${n}.mdx`
