import { expect, it } from 'vitest'
import { cleanBody } from './clean-body.ts'

it.each<[name: string, body: string, clean: string]>([
  ['plain text', 'a < b and c > d', 'a < b and c > d'],
  ['image', 'x ![alt](https://evil.test/?q=1) y', 'x alt y'],
  ['image by reference', 'x ![alt][id] y', 'x alt y'],
  ['tags', '<b>bold</b> <img src=x onerror=y>', 'bold'],
  ['tag with slash', '<img/src=x>', ''],
  ['unclosed tag', 'x <img src=https://evil.test', 'x'],
  ['comment', 'a<!-- hidden -->b', 'ab'],
  ['unclosed comment', 'a<!-- hidden', 'a'],
  ['tags inside tags', '<<b>script>x</<b>script>', 'x'],
  ['code, which is kept', 'use `<Note>` and\n```\n<img src=x>\n```', 'use `<Note>` and\n```\n<img src=x>\n```'],
  ['link URLs, which are kept', 'see <https://example.test>', 'see <https://example.test>'],
])('handles %s', (_, body, clean) => {
  expect(cleanBody(body)).toBe(clean)
})
