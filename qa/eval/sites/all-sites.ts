import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { readSampleDocs, readTree } from '@corrigenda/demo'
import type { Split } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'
import { meadow } from './meadow.ts'

export type SiteName = keyof typeof SITES

// The folders are beside the sources, wherever this module was compiled to.
const MANIFEST = pathToFileURL(createRequire(import.meta.url).resolve('@corrigenda/qa/package.json'))
const read = (name: string) => (): Tree => new Map(Object.entries(readTree(new URL(`eval/sites/${name}/`, MANIFEST))))

/** The repositories that this project writes itself. All products in them are invented. */
export const SITES = {
  tidewater: (): Tree => new Map([...readSampleDocs()].map(([path, { data }]) => [path, data])),
  /** MkDocs: an image server; nav and redirects in mkdocs.yml, with tags that only MkDocs can read. */
  lantern: read('lantern'),
  /** Plain Markdown: a library; CRLF, a byte order mark, tabs and files without a final newline. */
  meadow: (): Tree => new Map(Object.entries(meadow)),
  /** mdBook: a build service; the order of pages is in SUMMARY.md. */
  harbor: read('harbor'),
  /** Docusaurus: a charting library; sidebars in JSON, a German translation. */
  pebble: read('pebble'),
  /** Nextra: a note service; _meta.json beside the pages. */
  orchid: read('orchid'),
  /** Mintlify: a monitoring service; two languages, tabs in docs.json, redirects in use. */
  kestrel: read('kestrel'),
  /** VitePress: a bundler; the sidebar is a program that may not be changed. */
  juniper: read('juniper'),
  /** Starlight: a mail service; the sidebar is made from the folders. */
  wren: read('wren'),
  /** Fern: a billing service; docs.yml orders the pages. */
  fennel: read('fennel'),
} satisfies Record<string, () => Tree>

/** A repository is in one split with all its tasks: held-out ones are pages that no prompt was ever tuned on. */
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
