import type { Framework } from '../framework.ts'

/**
 * Markdown outside all documentation sites, as rendered by a code host. It is never detected and
 * serves as the fallback for all other files.
 */
export const plain: Framework = {
  name: 'plain',
  title: 'plain Markdown',
  detections: [],
  read: async () => ({
    root: '',
    config: null,
    content: [{ folder: '', url: '/', kind: 'docs', language: null }],
    ignored: [],
    base: '',
    navigation: { mode: 'all', generated: [], omitted: [], entries: [], files: [] },
    redirects: { list: [], files: [], complete: true },
    publicFolders: [],
    languages: [],
    addresses: 'unknown',
    openUrls: [],
    languageFallback: false,
    faults: [],
  }),
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: null,
  writable: [],
  toRoutes: () => [],
  toEntry: () => null,
  checksAbsoluteLinks: false,
}
