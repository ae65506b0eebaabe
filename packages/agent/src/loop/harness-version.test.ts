import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { HARNESS_VERSION } from './harness-version.ts'

/** SHA-256 of the tools (in the model API's format) and of the system prompt. */
const RECORDED = {
  version: '4',
  tools: 'c677cec248fe01c70a989fe2d5425738a2622000b2a26b818f39611f3abb6f8b',
  prompt: '945c14bbba7ba5f718389ee9939ccb76c5e962551d6a8df2ce8838ef1920b62d',
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
