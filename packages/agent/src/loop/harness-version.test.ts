import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { HARNESS_VERSION } from './harness-version.ts'

/** SHA-256 of the tools in the format of the model API and of the system prompt, for one harness version. */
const RECORDED = {
  version: '2',
  tools: '19543348abdf6cf91f5524fa9ee7384c548dddaa3f3c2da40df62c42346c7ff4',
  prompt: '2adffc77a27c70e69b5d61431ed2c547a07260c2d94c5324ecb3279e682d4fe6',
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the tools and the system prompt change only together with HARNESS_VERSION', () => {
  const tools = hash(JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true))))
  const parts = { limits: 'pages', instructionPaths: ['AGENTS.md'], projectInstructions: 'Be brief.' }
  const prompt = hash(buildSystemPrompt(parts))
  expect(
    { version: HARNESS_VERSION, tools, prompt },
    'A name, description or input schema of a tool, or the system prompt has changed. Increase HARNESS_VERSION, so that transcripts of the previous version are handed over, and record the new hash here.',
  ).toEqual(RECORDED)
})
