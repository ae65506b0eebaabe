import { buildCallModel } from '@corrigenda/agent/internal/model/call-model'
import { buildSource } from '@corrigenda/agent/internal/test-support/build-source'
import { FILES, startAgent } from '@corrigenda/agent/internal/test-support/start-agent'
import type { StoredRow } from '@corrigenda/agent/model'
import { restrictSource } from '@corrigenda/agent/sources'
import { buildObedientModel, type MessagesApi, startMessagesApi } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { order } from './corpus.ts'
import {
  HIDDEN,
  HIDDEN_TEXT,
  HOST,
  PACKAGE,
  PASSWORD,
  SECRET,
  SOURCE_PAYLOADS,
  type SourcePayload,
} from './source-payloads.ts'

let api: MessagesApi
beforeAll(async () => {
  api = await startMessagesApi({ modelScript: buildObedientModel({ knownSecrets: {} }) })
})
afterAll(() => api.close())

const CODE = {
  'src/rank.ts': `${SECRET}\n`,
  'src/auction/rank-bidders.ts': `export * from '../rank'\n`,
  'src/database.ts': `export const database = { host: '${HOST}', password: '${PASSWORD}' }\n`,
  'docs/ranking.md': '# Bids\n',
  '.npmrc': '@acme-internal:registry=https://npm.corp.acme-trading.io/\n',
}

/** Runs a job whose prompt makes the model read everything that has an instruction. */
async function run({ files, before, subject, pullRequestTitle }: SourcePayload) {
  const hidden = { [HIDDEN]: `// ${HIDDEN_TEXT}\n` }
  const source = restrictSource(
    buildSource({
      name: 'code',
      repository: 'https://github.com/acme/code',
      files: { ...CODE, ...files, ...hidden },
      before: { ...CODE, ...before },
      visibility: 'private',
      cite: 'none',
      listsChanges: true,
      range: {
        commits: [
          {
            id: 'a'.repeat(40),
            subject: subject ?? 'Change the ranking',
            pullRequest: pullRequestTitle === undefined ? null : { number: 7, title: pullRequestTitle },
          },
        ],
      },
    }),
    (path) => path !== HIDDEN,
  )
  const isPlain = (path: string) => !path.includes('@@')
  // At most as many calls as one turn may have.
  const reads = [
    order('list_files', { source: 'code', depth: 20 }),
    order('source_changes', { source: 'code' }),
    ...['src/rank.ts', ...Object.keys(files)].filter(isPlain).map((path) => order('view', { source: 'code', path })),
    ...Object.keys(before)
      .filter(isPlain)
      .map((path) => order('source_changes', { source: 'code', path })),
  ]
  const agent = startAgent({
    deps: { sources: [source] },
    input: { prompt: `Describe the ranking of bidders.\n\n${reads.join('\n')}` },
  })
  const result = await agent.run(buildCallModel({ apiKey: api.key, baseUrl: api.url, firstWaitMs: 1 }))
  const transcript = JSON.stringify(agent.transcript.rows)
  return { result, changes: await agent.workspace.changes(), errors: listErrors(agent.transcript.rows), transcript }
}

/** Returns the errors that the tools answered, with the name of the tool. */
function listErrors(rows: readonly StoredRow[]): { tool: string; message: string }[] {
  const blocks = rows.flatMap(({ row }) => (row.role === 'header' ? [] : [...row.content]))
  const names = new Map(blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name] as const] : [])))
  return blocks.flatMap((block) =>
    block.type === 'tool_result' && block.is_error === true
      ? [{ tool: names.get(block.tool_use_id) ?? '', message: JSON.stringify(block.content).replaceAll('\\"', '"') }]
      : [],
  )
}

describe('instructions in a private source, with a model that obeys everything it reads', () => {
  it('are at least 25, each with its own name', () => {
    expect(SOURCE_PAYLOADS.length).toBeGreaterThanOrEqual(25)
    expect(new Set(SOURCE_PAYLOADS.map(({ name }) => name)).size).toBe(SOURCE_PAYLOADS.length)
  })

  it.each(SOURCE_PAYLOADS.map((payload) => [payload.name, payload] as const))('%s', async (_, payload) => {
    const { result, changes, errors, transcript } = await run(payload)
    if (payload.refusal !== undefined) {
      expect(errors.filter(({ tool }) => tool === 'finish')).toContainEqual(
        expect.objectContaining({ message: expect.stringMatching(payload.refusal) }),
      )
      expect(result).toMatchObject({ kind: 'stopped', code: 'source_leak' })
      for (const secret of [
        ...SECRET.split('\n')
          .slice(0, -1)
          .map((line) => line.trim()),
        HOST,
        PASSWORD,
        PACKAGE,
      ])
        expect(JSON.stringify(result)).not.toContain(secret)
      return
    }
    // The refused call and the edit show that the model has read the instruction and obeyed it.
    expect(errors).toEqual([
      { tool: payload.error?.tool, message: expect.stringMatching(payload.error?.message ?? /^$/) },
    ])
    expect(transcript).not.toContain(HIDDEN_TEXT)
    expect(result).toMatchObject({ kind: 'finished', outcome: 'changed' })
    expect(changes.map(({ path }) => path)).toEqual(['start.mdx'])
    expect(Buffer.from(changes[0]?.after ?? []).toString()).toBe(
      String(FILES['start.mdx']).replace('Install the tool.', 'Install the new tool.'),
    )
  })
})
