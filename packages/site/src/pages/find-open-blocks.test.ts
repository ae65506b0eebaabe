import { expect, it } from 'vitest'
import type { Dialect } from './dialect.ts'
import { readPage } from './read-page.ts'

const read = (text: string, dialect: Dialect = 'plain') => readPage(new TextEncoder().encode(text), dialect).openBlocks
const find = (text: string, dialect?: Dialect) =>
  read(text, dialect).map(({ form, name, line }) => `${line} ${form} ${name}`)

it.each<[name: string, text: string, found: string[]]>([
  ['an open container', ':::tip\na\n\n## B\n', ['1 colons :::tip']],
  ['an open container before a closed one', ':::tip\na\n\n::: warning Title\nb\n:::\n', []],
  ['closed containers', ':::tip[Title]\na\n:::\n\n::: details A b {open}\nc\n:::\n\n> :::note\n> d\n> :::\n', []],
  ['nested containers of one size', '::: tip\n::: warning\na\n:::\n:::\n', []],
  ['an open inner container', ':::: tip\n::: warning\na\n::::\n', []],
  ['an open outer container', ':::: tip\n::: warning\na\n:::\n', ['1 colons ::::tip']],
  ['a container in a list', '- :::tip\n  a\n  :::\n- b\n\n  :::note\n  c\n', ['6 colons :::note']],
  ['a container of MyST', ':::{note}\na\n', ['1 colons :::{note}']],
  ['no containers', '::: a.b\n\n`:::tip`\n\n```md\n:::tip\n```\n\n    :::tip\n\n<!--\n:::tip\n-->\n\n::::\n', []],
  ['blocks of PyMdown', '/// note | Title\na\n///\n\n/// tip\nb\n', ['5 slashes /// tip']],
  ['no blocks of PyMdown', '/// a comment\n\n//// \n', []],
  ['blocks of GitBook in a table', '| `a` | {% tabs %} |\n', []],
  ['blocks of GitBook', '{% tabs %}\n{% tab title="A" %}\na\n{% endtabs %}\n', ['2 tags {% tab %}']],
  [
    'closed blocks of GitBook',
    '{% hint style="info" %}a{% endhint %}\n\nWrite `{% hint %}`.\n\n{% embed url="a" %}\n',
    [],
  ],
  [
    'text without indentation',
    '!!! note\nText\n\n??? tip "A"\n    Text\n\n!!! info "Only a title"\n\nText\n\n!!! tip\n\nText\n',
    ['1 indent !!! note', '11 indent !!! tip'],
  ],
])('finds %s', (_, text, found) => {
  expect(find(text)).toEqual(found)
  expect(find(`Text\n\n${text}`)).toEqual(found.map((row) => row.replace(/^\d+/, (line) => `${Number(line) + 2}`)))
})

it('reads the blocks of the dialect', () => {
  const nested = ':::a\n:::b\n:::\n:::\n'
  expect(find(nested, 'vue')).toEqual(['4 colons '])
  expect(find(nested, 'mdx-directives')).toEqual([])
  expect(find('::::a[T]{b=c}\n:::b\n:::\n', 'mdx-directives')).toEqual(['1 colons ::::a'])
  expect(find(':::a\n\n```\nb\n:::\n\n```\n', 'plain-directives')).toEqual([])
})

it('gives up on deeply nested blocks', () => {
  expect(find('/// a\n'.repeat(100))).toHaveLength(100)
  expect(find('/// a\n'.repeat(101))).toEqual([])
})

it('finds shortcodes without an end', () => {
  const text =
    '{{% alert title="A" %}}\na\n\n{{< tabpane >}}{{< tab "b" >}}c{{< /tab >}}{{< /tabpane >}}\n{{< fig src="d" />}}\n'
  expect(find(text)).toEqual(['1 shortcodes alert'])
  expect(find(`${text}{{% /alert %}}\n\n{{</* alert */>}}`)).toEqual([])
  expect(find('{{< a >}}\n'.repeat(9))).toHaveLength(3)
})

it('reads hostile pages in linear time', () => {
  for (const part of [
    ':::a\n',
    '- '.repeat(9),
    '/// a\n',
    '{% hint ',
    '{{< a ',
    '{{% /a %}}',
    '{{< a >}}{{< b >}}',
    '!!! a',
    ':::a\n::::\n',
  ])
    expect(read(part.repeat(20_000)).length).toBeLessThanOrEqual(100)
})
