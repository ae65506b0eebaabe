import { expect, it } from 'vitest'
import { cleanBody } from './clean-body.ts'

it.each<[name: string, body: string, clean: string]>([
  ['plain text', 'a < b and c > d', 'a < b and c > d'],
  ['an image', 'x ![alt](https://evil.test/?q=1) y', 'x alt y'],
  ['an image by reference', 'x ![alt][id] y', 'x alt y'],
  ['tags', '<b>bold</b> <img src=x onerror=y>', 'bold'],
  ['a tag with a slash', '<img/src=x>', ''],
  ['an unclosed tag', 'x <img src=https://evil.test', 'x'],
  ['a comment', 'a<!-- hidden -->b', 'ab'],
  ['an unclosed comment', 'a<!-- hidden', 'a'],
  ['tags inside tags', '<<b>script>x</<b>script>', 'x'],
  ['code, which is kept', 'use `<Note>` and\n```\n<img src=x>\n```', 'use `<Note>` and\n```\n<img src=x>\n```'],
  ['link URLs, which are kept', 'see <https://example.test>', 'see <https://example.test>'],
])('handles %s', (_, body, clean) => {
  expect(cleanBody(body)).toBe(clean)
})
