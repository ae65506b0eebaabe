import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { readSampleDocs, readTree } from '@corrigenda/demo'
import type { Split } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'
import { meadow } from './meadow.ts'

export type SiteName = keyof typeof SITES

// The site folders are next to the source files, not next to the compiled module.
const MANIFEST = pathToFileURL(createRequire(import.meta.url).resolve('@corrigenda/qa/package.json'))
const read = (name: string) => (): Tree => new Map(Object.entries(readTree(new URL(`eval/sites/${name}/`, MANIFEST))))

/** Documentation sites written for this project. Their products are fictional. */
export const SITES = {
  tidewater: (): Tree => new Map([...readSampleDocs()].map(([path, { data }]) => [path, data])),
  /**
   * Documentation of an image server, built with MkDocs. mkdocs.yml has redirects and tags that
   * only MkDocs can read.
   */
  lantern: read('lantern'),
  /**
   * Plain Markdown documentation of a library, with CRLF, a byte order mark, tabs and missing final
   * newlines.
   */
  meadow: (): Tree => new Map(Object.entries(meadow)),
  /** Documentation of a build service, built with mdBook. SUMMARY.md defines the page order. */
  harbor: read('harbor'),
  /**
   * Documentation of a charting library, built with Docusaurus. It has sidebars in JSON and a
   * German translation.
   */
  pebble: read('pebble'),
  /** Documentation of a note service, built with Nextra. _meta.json files are next to the pages. */
  orchid: read('orchid'),
  /**
   * Documentation of a monitoring service, built with Mintlify. It has two languages, and tabs and
   * redirects in docs.json.
   */
  kestrel: read('kestrel'),
  /**
   * Documentation of a bundler, built with VitePress. The sidebar is code, which must not be
   * changed.
   */
  juniper: read('juniper'),
  /**
   * Documentation of a mail service, built with Starlight. The sidebar is generated from the
   * folders.
   */
  wren: read('wren'),
  /** Documentation of a billing service, built with Fern. docs.yml defines the page order. */
  fennel: read('fennel'),
} satisfies Record<string, () => Tree>

/** All tasks for a site are in the same split. No prompt was tuned on held-out sites. */
export const SPLITS: Readonly<Record<SiteName, Split>> = {
  tidewater: 'train',
  lantern: 'train',
  meadow: 'train',
  harbor: 'held-out',
  pebble: 'held-out',
  orchid: 'held-out',
  kestrel: 'held-out',
  juniper: 'train',
  wren: 'held-out',
  fennel: 'train',
}
