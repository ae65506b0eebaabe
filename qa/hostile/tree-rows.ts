import path from 'node:path'
import { z } from 'zod'
import { QA_FOLDER, readYaml } from '../read-yaml.ts'
import type { HostileOrigin } from './hostile-host.ts'
import type { HostileEntry } from './hostile-objects.ts'
import { type HostileRow, putEntries, readable, refused } from './hostile-row.ts'

const repeat = (text: string) =>
  text.replace(/<<(\d+) \* (.+?)>>/g, (_, count: string, part: string) => part.repeat(Number(count)))
const text = z.string().transform(repeat)
const name = z.union([
  text,
  z.strictObject({ hex: z.string().regex(/^([0-9a-f]{2})+$/) }).transform(({ hex }) => Buffer.from(hex, 'hex')),
])
const mode = (usual: string) => z.string().default(usual)

type Entry =
  | { file: string | Buffer; mode: string; content: string }
  | { link: string | Buffer; mode: string; to: string }
  | { folder: string | Buffer; mode: string; entries: Entry[] }
  | { submodule: string | Buffer }
  | { missing: string | Buffer; mode: string }

const Entry: z.ZodType<Entry, unknown> = z.union([
  z.strictObject({ file: name, mode: mode('100644'), content: text.default('x\n') }),
  z.strictObject({ link: name, mode: mode('120000'), to: text }),
  z.strictObject({ folder: name, mode: mode('40000'), entries: z.lazy(() => z.array(Entry)) }),
  z.strictObject({ submodule: name }),
  z.strictObject({ missing: name, mode: mode('100644') }),
])

const Row = z
  .strictObject({
    name: z.string(),
    entries: z.array(Entry),
    refused: z.array(z.string()).optional(),
    readable: z.array(text).optional(),
  })
  .refine((row) => (row.refused === undefined) !== (row.readable === undefined), 'needs `refused` or `readable`')

/** The repositories in `trees.yaml`. */
export function treeRows(): HostileRow[] {
  return readYaml(path.join(QA_FOLDER, 'hostile/trees.yaml'), z.array(Row)).map((row) => ({
    name: row.name,
    build: (origin) =>
      void putEntries(
        origin,
        row.entries.map((entry) => toEntry(origin, entry)),
      ),
    expect: row.refused === undefined ? readable(row.readable ?? []) : refused(...row.refused),
  }))
}

const MISSING = '1'.repeat(40)

function toEntry(origin: HostileOrigin, entry: Entry): HostileEntry {
  const { store } = origin
  if ('file' in entry) return { mode: entry.mode, name: entry.file, oid: store.blob(entry.content) }
  if ('link' in entry) return { mode: entry.mode, name: entry.link, oid: store.blob(entry.to) }
  if ('submodule' in entry) return { mode: '160000', name: entry.submodule, oid: MISSING }
  if ('missing' in entry) return { mode: entry.mode, name: entry.missing, oid: MISSING }
  const below = entry.entries.map((one) => toEntry(origin, one))
  return { mode: entry.mode, name: entry.folder, oid: store.tree(below) }
}
