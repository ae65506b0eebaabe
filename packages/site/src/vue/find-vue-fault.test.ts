import { describe, expect, it } from 'vitest'
import { findVueFault } from './find-vue-fault.ts'

const FENCE = '```'
const find = (text: string) => findVueFault(text)
const page = (...lines: string[]) => `${lines.join('\n')}\n`

describe('findVueFault', () => {
  it.each([
    ['an element', page('# A', '', '<div class="note">', '', 'Words.'), 3, '<div> is not closed'],
    ['an element in a container', page('::: tip', '<div>', ':::'), 2, '<div> is not closed'],
    ['an element in a table', page('| a | b |', '| - | - |', '| <div> | c |'), 3, '<div> is not closed'],
    ['a type that is not code', page('', 'Use Array<string> here.'), 2, '<string> is not closed'],
    ['an end tag', page('Words.', '', '</div>', '', 'More.'), 3, '</div> has no opening tag'],
    ['an expression', page('The name is', 'long and', '{{ user name }}.'), 3, 'An expression is not valid'],
    ['an expression in inline code', page('Write `{{ user name }}`.'), 1, 'An expression is not valid'],
    ['an escaped expression', page('Write \\{\\{ user name \\}\\}.'), 1, 'An expression is not valid'],
    ['an expression in indented code', page('A', '', '    {{ user name }}'), 3, 'An expression is not valid'],
    ['an expression in a title', page('::: tip {{ a b }}', ':::'), 1, 'An expression is not valid'],
    ['an expression in code of Vue', page(`${FENCE}js-vue`, '{{ a b }}', FENCE), 1, 'An expression is not valid'],
    ['an expression of an attribute', page('<a :href="1 +">a</a>'), 1, 'An expression is not valid'],
    ['an open expression', page('A', '', 'Write {{ name.'), 3, 'Interpolation end sign was not found.'],
    ['an attribute', page('<div id="a" id="b">c</div>'), 1, 'Duplicate attribute.'],
    ['a directive', page('<div v-else>a</div>'), 1, 'v-else/v-else-if has no adjacent v-if or v-else-if.'],
  ])('finds a fault: %s', (_, text, line, message) => {
    expect(find(text)).toEqual({ line, message: expect.stringContaining(message) })
  })

  it.each([
    ['fenced code', page(FENCE, '{{ user name }} <div>', FENCE)],
    ['code of Vue', page(`${FENCE}js-vue`, '{{ 1 }} <div>', FENCE)],
    ['inline code', page('Write `<div>` or `{{ name }}`.')],
    ['a container', page('::: v-pre', '{{ user name }}', ':::')],
    ['an element', page('<div v-pre>', '', '{{ user name }}', '', '</div>')],
    ['an attribute after the text', page('## Write {{ user name }} {v-pre}')],
    ['a comment', page('Words <!-- {{ a b }} <div> --> here.')],
    ['void elements', page('a<br>b <img src="/a.png"> <hr>')],
    ['blocks with blank lines', page('<details>', '<summary>a</summary>', '', 'Words.', '', '</details>')],
    ['a component', page('<NoSuch :a="b" @click="c = 1; d()">words</NoSuch>')],
    ['a slot', page('<A><template #b="{ c }">{{ c }}</template></A>')],
    ['types', page('<script setup lang="ts">', 'const a = 1', '</script>', '', '{{ (a as any) }}')],
    ['script and style', page('<script setup>', 'const a = "<div>"', '</script>', '<style>', 'a > b {}', '</style>')],
    ['less than', page('a < b and c <5')],
    ['an address', page('<https://a.b>')],
    ['references', page('&lt;div&gt; {{ "a" }}')],
  ])('accepts %s', (_, text) => {
    expect(find(text)).toBeNull()
  })

  it.each([
    ['nested elements', '<div>\n'.repeat(20_000)],
    ['inline elements', '<b>'.repeat(40_000)],
    ['end tags', `${'<b>'.repeat(190)}${'</i>'.repeat(40_000)}`],
    ['brackets in an expression', `{{ ${'('.repeat(20_000)} }}`],
    ['operators in an expression', `{{ ${'!'.repeat(20_000)}a }}`],
    ['functions in an expression', `{{ ${'a=>'.repeat(20_000)}a }}`],
    ['templates in an expression', `{{ ${'`${'.repeat(20_000)} }}`],
    ['brackets in an attribute', `<a :b="${'['.repeat(20_000)}">c</a>`],
    ['types in an expression', `{{ ${'a<'.repeat(20_000)} }}`],
    ['members', `{{ a${'.b'.repeat(20_000)} }}`],
    ['calls', `{{ a${'()'.repeat(20_000)} }}`],
    ['expressions', '{{ a }} '.repeat(20_000)],
    ['open tags', '<a b="'.repeat(20_000)],
    ['the same attribute', `<a ${'b '.repeat(20_000)}>`],
    ['attributes', `<a ${Array.from({ length: 20_000 }, (_, at) => `b${at}`).join(' ')}>`],
    ['comments', '<!--'.repeat(20_000)],
    ['containers', '::: tip {{ a }}\n'.repeat(20_000)],
    ['link labels', '['.repeat(20_000)],
    ['emphasis', '*a_ '.repeat(20_000)],
  ])('stays within its limits: %s', (_, text) => {
    expect(() => find(text)).not.toThrow()
  })

  // Each text has the same fault on both sides of a limit.
  it.each<[what: string, limit: number, build: (size: number) => string]>([
    ['characters of a tag', 19_999, (size) => `<a id="a" id="b" c="${'x'.repeat(size - 22)}">d</a>`],
    ['elements in a paragraph', 199, (size) => `${'<b>'.repeat(size)}${'</b>'.repeat(size - 1)}`],
    ['brackets in an expression', 40, (size) => `{{ a b ${'('.repeat(size - 2)}${')'.repeat(size - 2)} }}`],
    ['operators in an expression', 200, (size) => `{{ a b ${'!'.repeat(size)}c }}`],
    ['expressions of 8 characters', 24_998, (size) => `{{ a b }}${'<br>{{ 12 }}'.repeat(size)}`],
  ])('judges texts up to a limit: %s', (_, limit, build) => {
    expect(find(build(limit))).not.toBeNull()
    expect(find(build(limit + 1))).toBeNull()
  })
})
