import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { describe, expect, test } from 'vitest'
import { buildGrammarPage } from './grammar.ts'
import { readDefinition } from './plan/find-flag-definitions.ts'
import { rules } from './rules.ts'
import { rehearseSample as ask, docs, tidewater } from './test-support/rehearse-sample.ts'

const toLine = (path: string, part: string) =>
  (tidewater[path] ?? '').split('\n').findIndex((line) => line.includes(part)) + 1
const ROW = '| `--json` | print each line as a JSON object with its time, attempt, stream and text |'

describe('documenting a flag from the code', () => {
  test.each([
    'Document the new --json flag',
    'Please document the `--json` flag of the `tidewater logs` command.',
    'document --json for logs',
  ])('%s adds a row to the table of its command, and cites its definition', (prompt) => {
    const { finished, accepted, harness } = ask(prompt)
    expect(accepted).toBe(true)
    const line = toLine('internal/cli/logs.go', '"json", false')
    expect(finished).toMatchObject({
      outcome: 'changed',
      title: 'Document --json of logs',
      body: expect.stringContaining('No AI was used'),
      evidence: [
        { page: 'cli/logs.mdx', source: 'tidewater', path: 'internal/cli/logs.go', fromLine: line, toLine: line },
      ],
    })
    const before = docs['cli/logs.mdx'] ?? ''
    const last = '| `--attempts` | put a heading above each attempt |\n'
    expect(harness.files.get('cli/logs.mdx')).toBe(before.replace(last, `${last}${ROW}\n`))
    expect(harness.calls).toContain('view {"path":"internal/cli/logs.go","source":"tidewater"}')
  })

  test('fills the column of defaults', () => {
    const { 'cli/run.mdx': page = '', ...others } = docs
    const files = { ...others, 'cli/run.mdx': page.replace(/^.*--(?:detach|wait-start|pool)`.*\n/gm, '') }
    const insert = (prompt: string) => ask(prompt, {}, files).harness.files.get('cli/run.mdx')
    expect(insert('Document --detach')).toContain("| `--detach` | off | print the run's id and end at once |\n")
    expect(insert('Document --pool of run')).toContain('| `--pool` | none | run in another pool |\n')
    expect(insert('Document --wait-start')).toContain(
      '| `--wait-start` | `2m` | give up if no worker takes it within this time |\n',
    )
  })

  test.each([
    ['Document the new --colour flag', 'needs_input', 'The sources do not define it'],
    [
      'Document the new --json flag of the export command',
      'needs_input',
      '`--json` of logs, in `internal/cli/logs.go`',
    ],
    ['Document the --pool flag', 'needs_input', '`--pool` of list, in `internal/cli/list.go`'],
    ['Document the --raw flag', 'no_change', 'cli/logs.mdx already contains --raw'],
    ['Document the --url flag', 'impossible', 'no page named after the command tidewater'],
  ])('%s ends as %s', (prompt, outcome, reason) => {
    const { finished, accepted } = ask(prompt)
    expect(accepted).toBe(true)
    expect(finished).toMatchObject({ outcome, reason: expect.stringContaining(reason) })
  })

  test('asks for a source if the project has none, and does not follow names in other blocks', () => {
    const { finished } = ask('Document the new --json flag', { sources: {} })
    expect(finished).toMatchObject({ outcome: 'needs_input', reason: expect.stringContaining('project settings') })
  })

  test('reads definitions in several styles, also wrapped ones', () => {
    expect(readDefinition(".option('-j, --json <file>', 'write a report', 'out')", 'json')).toEqual({
      description: 'write a report',
      defaultCode: '',
    })
    expect(readDefinition('fs.String("json", "a.json", "write a report")', 'json')?.defaultCode).toBe('"a.json"')
    for (const code of ['case "json":', 'f("raw", "json", "attempts")', "'--json-lines', 'write a report'"]) {
      expect(readDefinition(code, 'json')).toBeNull()
    }
    const wrapped = "program\n  .command('export <job>')\n  .option(\n    '--json',\n    'write a report',\n  )\n"
    const files = { 'cli/export.md': '| Option | Meaning |\n| --- | --- |\n| `--all` | all |\n' }
    const { finished, harness } = ask('Document --json', { sources: { app: { 'src/cli.ts': wrapped } } }, files)
    expect(finished.evidence).toMatchObject([{ path: 'src/cli.ts', fromLine: 4, toLine: 5 }])
    expect(harness.files.get('cli/export.md')).toMatch(/\| `--json` \| write a report \|\n$/)
  })
})

describe('following recent changes', () => {
  const prompt = 'Update the documentation for our recent pushes to main:\n\nRepository: tidewater/tidewater'

  test('documents new flags and renamed commands with evidence, and lists the other commits', () => {
    const { finished, accepted, harness } = ask(prompt)
    expect(accepted).toBe(true)
    expect(finished.outcome).toBe('changed')
    expect(finished.body).toContain('Renamed `tidewater doctor` to `tidewater check` in 4 pages')
    expect(finished.body).toContain('No change was made for:\n\n- "fix(client)')
    expect(harness.files.get('cli/logs.mdx')).toContain(`${ROW}\n`)
    const renamed = ['guides/calendars', 'guides/deploying', 'troubleshooting/connection', 'troubleshooting/overview']
    for (const page of renamed) {
      expect(harness.files.get(`${page}.mdx`)).toContain('tidewater check')
      expect(harness.files.get(`${page}.mdx`)).not.toContain('tidewater doctor')
    }
    expect(harness.files.get('changelog/releases.mdx')).toBe(docs['changelog/releases.mdx'])
    const line = toLine('internal/cli/check.go', '"check"')
    expect(finished.evidence?.map(({ page, fromLine }) => [page, fromLine])).toEqual([
      ['cli/logs.mdx', toLine('internal/cli/logs.go', '"json", false')],
      ...renamed.map((page) => [`${page}.mdx`, line]),
    ])
  })

  test('ends without a change if no commit calls for one', () => {
    const { finished } = ask(prompt, { changes: '1 commit since 0123456789ab, newest first:\n012345678901 fix: x' })
    expect(finished).toMatchObject({ outcome: 'no_change', reason: expect.stringContaining('"fix: x"') })
    // An earlier job has read the commits, but its change is not merged.
    const none = { changes: 'No commits since 0123456789ab.' }
    const again = ask(prompt, none)
    expect(again.finished.outcome).toBe('changed')
    expect(Object.fromEntries(again.harness.files)).toEqual(Object.fromEntries(ask(prompt).harness.files))
    expect(ask(prompt, none, Object.fromEntries(again.harness.files)).finished).toMatchObject({
      outcome: 'no_change',
      reason: expect.stringContaining('"since"'),
    })
    expect(ask(prompt, { sources: {} }).finished.outcome).toBe('needs_input')
  })
})

test.each([...SUGGESTED_PROMPTS])('the suggested prompt "$prompt" ends as $outcome', ({ prompt, outcome }) => {
  const { finished, accepted } = ask(prompt)
  expect([accepted, finished.outcome]).toEqual([true, outcome === 'no_changes' ? 'no_change' : outcome])
})

test('every example in GRAMMAR.md works in the sample repository', () => {
  const page = buildGrammarPage()
  for (const { example, usage } of rules) {
    expect(page).toContain(example)
    const { finished, accepted } = ask(example)
    expect([usage, accepted, finished.outcome]).toEqual([usage, true, 'changed'])
  }
})
