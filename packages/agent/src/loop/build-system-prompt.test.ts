import { TOOL_NAMES } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { buildSystemPrompt } from './build-system-prompt.ts'

test.each(TOOL_NAMES)('the prompt mentions %s', (name) => {
  const prompt = buildSystemPrompt({ limits: 'pages', instructionPaths: [], projectInstructions: '' })
  expect(prompt).toMatch(new RegExp(`\\b${name}\\b`))
})
