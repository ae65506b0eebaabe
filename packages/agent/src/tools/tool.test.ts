import type Anthropic from '@anthropic-ai/sdk'
import { ToolInputs } from '@corrigenda/contracts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runTools } from '../loop/run-tools.ts'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'
import { ALL_TOOLS } from './all-tools.ts'
import { defineTool, type Tool, toApiTool } from './tool.ts'

const STRICT_REFUSES = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'propertyNames',
  'not',
  '$schema',
  'default',
  'format',
]

describe('tool schemas', () => {
  it('match the names and inputs in the contract', () => {
    const inputs = ALL_TOOLS.map((tool) => {
      const { input_schema } = toApiTool(tool, true)
      const required = new Set(input_schema.required)
      const keys = Object.keys(Object(input_schema.properties)).map((key) => (required.has(key) ? key : `${key}?`))
      return `${tool.name} ${keys.join(' ')}`
    })
    const contract = Object.entries(ToolInputs).map(([name, { shape }]) => {
      const keys = Object.entries(shape).map(([key, field]) => (field.safeParse(undefined).success ? `${key}?` : key))
      return `${name} ${keys.join(' ')}`
    })
    expect(inputs).toEqual(contract)
  })

  it.each(ALL_TOOLS.map((tool) => [tool.name, tool] as const))('%s has a valid strict schema', (_, tool) => {
    const api = toApiTool(tool, true)
    expect(api.strict).toBe(true)
    expect(api.input_schema).toMatchObject({ type: 'object', additionalProperties: false })
    for (const keyword of STRICT_REFUSES) expect(JSON.stringify(api.input_schema)).not.toContain(`"${keyword}":`)
    expect(toApiTool(tool, false)).not.toHaveProperty('strict')
  })

  it('are byte-identical on every call', () => {
    const once = JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true)))
    expect(JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true)))).toBe(once)
  })
})

describe('defineTool', () => {
  it('rejects names and inputs outside the contract at compile time', () => {
    const rest = { description: '', kind: 'write' } as const
    // @ts-expect-error: no tool has this name
    expect(() => defineTool({ ...rest, name: 'rename', run: async () => '' }).schema.shape).toThrow()
    // @ts-expect-error: the input of move is `new_path`
    defineTool({ ...rest, name: 'move', run: async (_, { to }) => to })
  })
})

describe('runTools', () => {
  it('accepts null for an omitted optional input', async () => {
    const harness = buildToolHarness({ 'a.md': 'text\n' })
    const { isError } = await harness.call('view', { path: 'a.md', view_range: null })
    expect(isError).toBe(false)
  })

  it('does not show internal errors to the model', async () => {
    const harness = buildToolHarness({ 'a.md': 'text\n' })
    const read = harness.workspace.read
    harness.workspace.read = async () => {
      throw new Error('ENOENT: /srv/corrigenda/mirrors/secret token=abc')
    }
    const { text, isError } = await harness.call('view', { path: 'a.md' })
    harness.workspace.read = read
    expect(isError).toBe(true)
    expect(text).toBe(
      'view failed because of an internal error. Nothing was changed. Try something else, or finish with the current edits.',
    )
    expect(harness.faults).toHaveLength(1)
  })

  it('lists the available tools for an unknown tool', async () => {
    const harness = buildToolHarness({})
    expect(await harness.call('bash', { command: 'ls' })).toEqual({
      isError: true,
      text: expect.stringMatching(/The tool "bash" does not exist\. Available tools: list_files, .*finish\./),
    })
  })

  it('runs at most eight calls', async () => {
    const harness = buildToolHarness({ 'a.md': '1\n' })
    const calls = Array.from(
      { length: 10 },
      (_, n) => ['insert', { path: 'a.md', insert_line: 0, insert_text: `${n}` }] as const,
    )
    const outcomes = await harness.turn(calls)
    expect(outcomes.map(({ isError }) => isError)).toEqual([...Array(8).fill(false), true, true])
    expect(outcomes[9]?.text).toBe('Not run: the limit is 8 tool calls per turn. Send this call again.')
    expect(harness.workspace.text('a.md')).toBe('7\n6\n5\n4\n3\n2\n1\n0\n1\n')
  })

  it('runs writes in order, so that later reads reflect them', async () => {
    const harness = buildToolHarness({ 'a.md': 'one\n' })
    const [before, , after] = await harness.turn([
      ['view', { path: 'a.md' }],
      ['edit', { path: 'a.md', old_str: 'one', new_str: 'two' }],
      ['view', { path: 'a.md' }],
    ])
    expect(before?.text).toContain('1\tone')
    expect(after?.text).toContain('1\ttwo')
  })

  it('runs finish last and only once', async () => {
    const harness = buildToolHarness({ 'a.md': 'one\n' })
    const [first, , second] = await harness.turn([
      ['finish', { outcome: 'changed' }],
      ['edit', { path: 'a.md', old_str: 'one', new_str: 'two' }],
      ['finish', { outcome: 'changed' }],
    ])
    expect(first?.text).toContain('modified a.md (+1 -1)')
    expect(second).toEqual({ isError: true, text: expect.stringMatching(/finish was called twice/) })
  })

  it('truncates long results', async () => {
    const wordy: Tool = {
      name: 'wordy',
      description: 'Returns a long text.',
      kind: 'read',
      schema: z.object({}),
      call: async () => 'x'.repeat(100_000),
    }
    const [outcome] = await runTools({
      tools: [wordy],
      context: Object(null),
      calls: [{ type: 'tool_use', id: 'toolu_1', name: 'wordy', input: {} } as Anthropic.ToolUseBlock],
      signal: new AbortController().signal,
      onFault: () => {},
    })
    expect(outcome?.text.length).toBeGreaterThan(39_000)
    expect(outcome?.text.length).toBeLessThan(41_000)
    const harness = buildToolHarness(
      Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${n}.md`, `${'word '.repeat(59)}\n`])),
    )
    const { text } = await harness.call('search', { query: 'word', context: 5 })
    expect(text.length).toBeLessThan(41_000)
  })
})
