import { type ScriptItem, type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import type { FaultScenario } from './fault-row.ts'

/** A turn that changes page 1. */
export const EDIT: ScriptTurn = [
  { tool: 'edit', input: { path: 'page-1.mdx', old_str: 'Marker 1 stands here.', new_str: 'Changed.' } },
]
export const VIEW: ScriptTurn = [{ tool: 'view', input: { path: 'page-1.mdx' } }]

/**
 * Builds a prompt that views a page, edits it and finishes. The fault occurs in the turn with the
 * edit, so that one turn is already stored. Users act after the edit.
 */
export function buildRowPrompt(row: FaultScenario): string {
  const fault: ScriptItem[] = row.model ? [{ fault: row.model }] : []
  const turns = row.turns ?? [
    [...(row.first ? fault : []), ...VIEW],
    [...(row.first ? [] : fault), ...EDIT],
  ]
  const pause: ScriptTurn[] =
    row.duringAgent.length > 0 ? [[{ hold: row.id }, { tool: 'view', input: { path: 'README.md' } }]] : []
  return scriptPrompt(`Row ${row.id}.`, [...turns, ...pause], { id: row.id })
}

/** Returns the files of a small documentation site. */
export function rowFiles(): Record<string, string> {
  const page = (n: number) => `---\ntitle: Page ${n}\n---\n\nMarker ${n} stands here.\n`
  const navigation = { groups: [{ group: 'Pages', pages: ['page-0', 'page-1'] }] }
  return {
    'page-0.mdx': page(0),
    'page-1.mdx': page(1),
    'docs.json': `${JSON.stringify({ name: 'Acme', navigation }, null, 2)}\n`,
    'README.md': '# Docs\n',
  }
}
