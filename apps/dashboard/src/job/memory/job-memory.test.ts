import { expect, test } from 'vitest'
import { type LineComment, removeSent } from './job-memory.ts'

const toComment = (id: string, text: string): LineComment => ({
  id,
  path: 'a.md',
  side: 'new',
  from: 1,
  to: 1,
  quote: ['x'],
  text,
  isOpen: false,
})

test('removes what was sent, but not what was written since', () => {
  const sent = { text: 'Fix it.', comments: [toComment('a', 'Here'), toComment('b', 'There')] }
  expect(removeSent(sent, sent)).toEqual({ text: '', comments: [] })
  const later = { text: 'Fix it.\n\nAnd that.', comments: [...sent.comments, toComment('c', 'New')] }
  expect(removeSent(later, sent)).toEqual({ text: 'And that.', comments: [toComment('c', 'New')] })
  const changed = { text: 'Another', comments: [toComment('a', 'Here, too')] }
  expect(removeSent(changed, sent)).toEqual(changed)
})
