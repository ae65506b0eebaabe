import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { toApiTool } from '../tools/tool.ts'
import { HARNESS_VERSION } from './harness-version.ts'

/** SHA-256 of the tools as the model API gets them, and the version that has them. */
const RECORDED = { version: '2', tools: '19543348abdf6cf91f5524fa9ee7384c548dddaa3f3c2da40df62c42346c7ff4' }

test('the tools change only together with HARNESS_VERSION', () => {
  const text = JSON.stringify(ALL_TOOLS.map((tool) => toApiTool(tool, true)))
  const tools = createHash('sha256').update(text).digest('hex')
  expect(
    { version: HARNESS_VERSION, tools },
    'A name, description or input schema of a tool has changed. Increase HARNESS_VERSION, so that transcripts of the former tools are handed over, and record the new hash here.',
  ).toEqual(RECORDED)
})
