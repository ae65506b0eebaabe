import type { Framework } from '../framework.ts'

/** Markdown that belongs to no documentation site, as a code host shows it. It is never detected: it covers what is left. */
export const plain: Framework = {
  name: 'plain',
  title: 'plain Markdown',
  detections: [],
  read: async () => ({
    root: '',
    config: null,
    content: [{ folder: '', url: '/', kind: 'docs', language: null }],
    base: '',
    navigation: { mode: 'all', generated: [], omitted: [], entries: [], files: [] },
    redirects: { list: [], files: [], complete: true },
    publicFolders: [],
    languages: [],
    addresses: 'unknown',
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
