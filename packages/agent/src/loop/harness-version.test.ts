import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { HARNESS_VERSION } from './harness-version.ts'

/** SHA-256 of the tools (in the model API's format) and of the system prompt. */
const RECORDED = {
  version: '6',
  tools: 'f5ae774e6a03366a96662828433918601205d38b0030b5d5aa9d698fe9c8b18b',
  prompt: 'bbc55f5f05a9430e293fae1b7cbb2ba19aa4b19de3467ee9f346b4c32d1d19bd',
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the tools and the system prompt do not change without a new HARNESS_VERSION', () => {
  const tools = hash(JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true))))
  const parts = { limits: 'pages', instructionPaths: ['AGENTS.md'], projectInstructions: 'Be brief.' }
  const prompt = hash(buildSystemPrompt(parts))
  expect(
    { version: HARNESS_VERSION, tools, prompt },
    'The system prompt, or a tool name, description or input schema, has changed. Increase HARNESS_VERSION so that runs from the previous version continue in a new conversation, and record the new hash here.',
  ).toEqual(RECORDED)
})
