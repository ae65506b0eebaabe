import { expect, test } from 'vitest'
import { isValeScript } from './lint-prose.ts'

test.each([
  'extends: script\nscript: x\n',
  '{extends: script, script: x}',
  '{ "extends" : "script" }',
  'message: x\n? extends\n: script\n',
  'Extends: !!str script',
  'base: &b {extends: script}\n<<: *b\n',
  'extends: >-\n  script\n',
  'extends: existence\n---\nextends: script\n',
  '"ext\\x65nds": script',
  'extends: [unclosed',
])('finds the script rule %j', (text) => {
  expect(isValeScript(text)).toBe(true)
})

test.each([
  'extends: existence\nmessage: "extends: script"\n',
  '# extends: script\nextends: occurrence\n',
  '',
  '- a\n',
])('accepts %j', (text) => {
  expect(isValeScript(text)).toBe(false)
})
