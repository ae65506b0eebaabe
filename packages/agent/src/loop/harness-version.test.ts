import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { buildSystemPrompt, HARNESS_VERSION } from './build-system-prompt.ts'

/** SHA-256 of the tools (in the model API's format) and of the system prompt. */
const RECORDED = {
  version: '6',
  tools: 'd874b38a9cd83e53628fae847e484c05f6bf5f1c3f1a0523ee7987842a9dd1e6',
  prompt: '0756413f9f3730da885cbcad6fed5227b70272c39bd2338c21f7b7f70014691d',
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
