import { expect, test } from 'vitest'
import type { LineComment } from '../memory/job-memory.ts'
import { buildMessage } from './follow-up-box.tsx'

const comment = (given: Partial<LineComment>): LineComment => ({
  id: '1',
  path: 'guides/install.md',
  side: 'new',
  from: 3,
  to: 3,
  quote: ['Run it.'],
  text: 'Why?',
  isOpen: false,
  ...given,
})

test('a follow-up contains the text, and each comment with its file, lines and their text', () => {
  const comments = [
    comment({ quote: ['Run it.', '', '> Twice.'], to: 5, text: '  Explain how.\n' }),
    comment({ text: ' ' }),
    comment({ path: 'b.md', side: 'old', quote: [], text: 'Keep this line.', isOpen: true }),
  ]
  expect(buildMessage(' Almost there. ', comments)).toBe(
    `Almost there.

Comments on your changes:

guides/install.md, lines 3–5:

> Run it.
>
> > Twice.

Explain how.

b.md, removed line 3:

Keep this line.`,
  )
  expect(buildMessage('Only text.', [])).toBe('Only text.')
  expect(buildMessage(' ', [comment({ text: '' })])).toBe('')
})
