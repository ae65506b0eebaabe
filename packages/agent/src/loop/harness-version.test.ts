import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { HARNESS_VERSION } from './harness-version.ts'

/** SHA-256 of the tools in the format of the model API and of the system prompt, for one harness version. */
const RECORDED = {
  version: '3',
  tools: '061444d2629f37858aee25b9a00da2efd0656b2acd1b7a35e2b707d0190b352d',
  prompt: 'ace04ad463f5705e1d072a795ba83f3149bb590691398232c741e5db333f25e2',
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the tools and the system prompt change only together with HARNESS_VERSION', () => {
  const tools = hash(JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true))))
  const parts = { limits: 'pages', instructionPaths: ['AGENTS.md'], projectInstructions: 'Be brief.' }
  const prompt = hash(buildSystemPrompt(parts))
  expect(
    { version: HARNESS_VERSION, tools, prompt },
    'A name, description or input schema of a tool, or the system prompt has changed. Increase HARNESS_VERSION, so that runs of the previous version continue in a new conversation, and record the new hash here.',
  ).toEqual(RECORDED)
})
