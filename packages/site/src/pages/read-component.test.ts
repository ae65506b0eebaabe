import { expect, it } from 'vitest'
import { readComponent } from './read-component.ts'

const SIZE = 262_144
const fill = (text: string) => text.repeat(SIZE).slice(0, SIZE)

// The time limit of a test is the check: without a bound, some of these take minutes.
it.each([
  ['blanks after import', `import${fill(' ').slice(6)}`],
  ['blanks after import in a script', `<script>import${fill(' ').slice(14)}`],
  ['blanks after a name', `id${fill(' ').slice(2)}`],
  ['blanks after a bracket', `{${fill(' ').slice(1)}`],
  ['imports', fill('import a ')],
  ['names of an import', `<script>import ${fill('a,').slice(60)} from "b"</script>`],
  ['scripts', fill('<script>')],
  ['tags', fill('<a-')],
  ['icons', fill('<svg ')],
  ['comments', fill('<!--')],
  ['fences', fill('---\n')],
])('reads large components: %s', (_, text) => {
  expect(readComponent(Buffer.from(text)).unread).toBeNull()
})
