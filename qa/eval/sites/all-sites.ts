import { buildSampleDocs } from '@corrigenda/testkit'
import type { Split } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'
import { fennel } from './fennel.ts'
import { harbor } from './harbor.ts'
import { juniper } from './juniper.ts'
import { kestrel } from './kestrel.ts'
import { lantern } from './lantern.ts'
import { meadow } from './meadow.ts'
import { orchid } from './orchid.ts'
import { pebble } from './pebble.ts'
import { wren } from './wren.ts'

export type SiteName = keyof typeof SITES

const build = (files: Readonly<Record<string, string>>) => (): Tree => new Map(Object.entries(files))

/** The repositories that this project writes itself. */
export const SITES = {
  tidewater: (): Tree => new Map([...buildSampleDocs()].map(([path, { data }]) => [path, data])),
  lantern: build(lantern),
  meadow: build(meadow),
  harbor: build(harbor),
  pebble: build(pebble),
  orchid: build(orchid),
  kestrel: build(kestrel),
  juniper: build(juniper),
  wren: build(wren),
  fennel: build(fennel),
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
