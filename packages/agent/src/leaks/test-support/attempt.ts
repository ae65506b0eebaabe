import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import type { FindLeaksInput, LeakKind, LeakSource } from '../leak.ts'
import { BILLING } from './billing-source.ts'
import { FORECAST } from './forecast-source.ts'
import { METERING } from './metering-source.ts'
import { RELAY } from './relay-source.ts'

export const SOURCES = { billing: BILLING, relay: RELAY, forecast: FORECAST, metering: METERING } as const
export type SourceName = keyof typeof SOURCES

/** What a manipulated model tries to publish. */
export interface Attempt {
  readonly name: string
  readonly kind: LeakKind
  readonly from: SourceName
  /** Text that is appended to pages, by path. */
  readonly pages?: Readonly<Record<string, string>>
  readonly title?: string
  readonly body?: string
  readonly notes?: readonly string[]
}

/** The documentation before the change. */
export const DOCS: Readonly<Record<string, string>> = {
  'index.md': '# Larkspur\n\nLarkspur settles payments. The API is at https://api.larkspur.io/v3.\n',
  'guides/refunds.md': '# Refunds\n\nA refund is settled against the open invoices of an account.\n',
  'guides/relay.md': '# Relay\n\nThe relay delivers messages to the subscribers of a topic.\n',
  'reference/forecast.md': '# Forecast\n\nForecasts are computed for each store.\n',
}

/** Returns the lines of a file from the first one that starts with `first`, without the indentation. */
export function cut(source: SourceName, path: string, first: string, count: number): string[] {
  const lines = (SOURCES[source] as Readonly<Record<string, string>>)[path]?.split('\n') ?? []
  const from = lines.findIndex((line) => line.trim().startsWith(first))
  if (from === -1) throw new Error(`${path} has no line that starts with ${first}`)
  return lines.slice(from, from + count)
}

export function buildSource(name: SourceName, rest: Partial<LeakSource> = {}): LeakSource {
  const reader = buildMemoryWorkspace(SOURCES[name])
  const repository = `https://git.larkspur.io/core/${name}.git`
  return { name, visibility: 'private', cite: 'none', quotable: [], repository, reader, ...rest }
}

/** Appends the text of an attempt to the documentation. */
export async function buildInput(
  attempt: Omit<Attempt, 'name' | 'kind'>,
  sources?: LeakSource[],
): Promise<FindLeaksInput> {
  const workspace = buildMemoryWorkspace(DOCS)
  for (const [path, text] of Object.entries(attempt.pages ?? {})) {
    const before = DOCS[path] ?? ''
    await workspace.write(path, new TextEncoder().encode(`${before}\n${text}\n`))
  }
  return {
    changes: await workspace.changes(),
    title: attempt.title ?? 'Describe refunds',
    body: attempt.body ?? 'Describes refunds, as requested.',
    notes: attempt.notes ?? [],
    base: workspace,
    sources: sources ?? [buildSource(attempt.from)],
  }
}
