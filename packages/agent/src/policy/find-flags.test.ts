import { expect, it } from 'vitest'
import { findFlags } from './find-flags.ts'

const flags = (after: string, before: string | null = null) => {
  const toBytes = (text: string) => new TextEncoder().encode(text)
  const change = {
    path: 'a.mdx',
    kind: 'modified',
    before: before === null ? null : toBytes(before),
    after: toBytes(after),
  } as const
  return findFlags([change]).map(({ kind, line, detail }) => `${line} ${kind} ${detail}`.trim())
}

it.each<[text: string, flag: string[]]>([
  ['![x](https://evil.test/a.png?q=1)', ['1 external_image evil.test']],
  ['![x](//evil.test/a.png)', ['1 external_image evil.test']],
  ['<img alt="x" src="https://evil.test/a.png" />', ['1 external_image evil.test']],
  ['<img src={`https://evil.test/a.png`} />', ['1 external_image evil.test']],
  ['<script src="https://evil.test/x.js"></script>', ['1 script evil.test']],
  ['<a href="javascript:alert(1)">x</a>', ['1 script']],
  ['<b onclick="x()">x</b>', ['1 script']],
  ['<iframe src="https://video.test/1"></iframe>', ['1 iframe video.test']],
  ['ok\nleft\u202Eright \u200B', ['2 invisible_characters U+202E U+200B']],
  ['tag \u{E0041}', ['1 invisible_characters U+E0041']],
  ['![x][ref]\n\n[ref]: https://evil.test/a.png', ['3 external_image evil.test']],
  ['![Ref]\n\n> [ref]: <//evil.test/a.png>', ['3 external_image evil.test']],
  ['![x][]\n\n[X]:\n  https://evil.test/a.png', ['3 external_image evil.test']],
  ['![x](https&#58;//evil.test/a.png)', ['1 external_image evil.test']],
  ['![x](https\\://evil.test/a.png)', ['1 external_image evil.test']],
  ['a\n<img\n  alt="x"\n  src="https://evil.test/a.png"\n/>', ['2 external_image evil.test']],
  ["<img alt=it's src=https://evil.test/a.png>", ['1 external_image evil.test']],
  ['<img srcset="/a.png 1x, https://evil.test/b.png 2x">', ['1 external_image evil.test']],
  ['<video poster=https://evil.test/a.png>', ['1 external_image evil.test']],
  ['<svg><image xlink:href="https://evil.test/a.png"/></svg>', ['1 external_image evil.test']],
  ['<svg onload=alert(1)>', ['1 script']],
  ['<div onClick={() => run()}>', ['1 script']],
  ['<p @click="run">', ['1 script']],
  ['<a href="java&#115;cript:alert(1)">', ['1 script']],
  ['<a href=" java\tscript:alert(1)">', ['1 script']],
  ['`<!--` <script src=https://evil.test/a.js>', ['1 script evil.test']],
  ['<link rel=stylesheet href=https://evil.test/a.css>', ['1 external_style evil.test']],
  ['<style>@import url(https://evil.test/a.css);</style>', ['1 external_style evil.test']],
  ["<style>@import 'https://evil.test/a.css';</style>", ['1 external_style evil.test']],
  ['<p style="background: url(https://evil.test/a.png)">', ['1 external_style evil.test']],
  ['<meta http-equiv=refresh content="0; url=https://evil.test/">', ['1 redirect evil.test']],
  ['<base href="https://evil.test/">', ['1 redirect evil.test']],
  ['<form action="https://evil.test/login">', ['1 form evil.test']],
  ['<button formaction=https://evil.test/x>', ['1 form evil.test']],
  ...['00AD', '034F', '115F', '1160', '180E', '3164', 'FE01', 'FFA0', 'E0100', 'E01EF'].map(
    (code): [string, string[]] => [
      `a${String.fromCodePoint(Number.parseInt(code, 16))}b`,
      [`1 invisible_characters U+${code}`],
    ],
  ),
  ['a\uFE0Fb', ['1 invisible_characters U+FE0F']],
  ['\uFEFFFirst line, ❤️ 1️⃣ ९ می‌خواهم ۝', []],
  ['![x](/images/a.png) [link](https://fine.test) `code` 👩‍💻', []],
  ['<Tabs only="a" once={true}> <a href="https://fine.test">x</a> [x]: https://fine.test', []],
  // Links and settings whose address runs a script.
  ['[a](javascript:alert(1))', ['1 script']],
  ['[a](<java\tscript:alert(1)>)', ['1 script']],
  ['[a](java&#115;cript:alert(1))', ['1 script']],
  ['[a][r]\n\n[r]: VBSCRIPT:x', ['3 script']],
  ['<javascript:alert(1)>', ['1 script']],
  ['[a](data:text/html;base64,PHNjcmlwdD4=)', ['1 script']],
  ['---\nlink: "javascript:alert(1)"\n---', ['2 script']],
  ['{"href": "\\u006aavascript:alert(1)"}', ['1 script']],
  ['link:javascript:alert(1)[a]', ['1 script']],
  ['`a <javascript:alert(1)>`_', ['1 script']],
  ['A `javascript:` address, or javascript: the language.', []],
  // Escaped tags in strings of a configuration.
  ['{"content": "\\u003cscript>alert(1)"}', ['1 script']],
  ['value: \'\\x3cimg src="https://evil.test/a.png"\\x3e\'', ['1 external_image evil.test']],
  // Attributes in braces.
  ['[a](b.md){ onclick="alert(1)" }', ['1 script']],
  ['# T {: #id .class onmouseover=alert(1) }', ['1 script']],
  ['![a](/a.png){src=https://evil.test/a.png}', ['1 external_image evil.test']],
  ['# T {#id .class title="a"} and {a: 1} and `{ "b": "https://fine.test" }`', []],
  // Images and frames of other markup languages.
  ['image::https://evil.test/a.png[]', ['1 external_image evil.test']],
  ['a image:https://evil.test/a.png[b]', ['1 external_image evil.test']],
  ['.. |a| image :: https://evil.test/a.png', ['1 external_image evil.test']],
  ['```{figure} https://evil.test/a.png\n```', ['1 external_image evil.test']],
  ['video::abc[youtube]', ['1 iframe']],
  ['{{< youtube abc >}}', ['1 iframe']],
  ['{{< gist a 1 >}}', ['1 script']],
  ['{% embed url="https://evil.test" %}', ['1 iframe']],
  ['image::a.png[] and .. image:: a.png', []],
  // Redirects.
  ['.. meta::\n   :http-equiv=refresh: 0;url=https://evil.test', ['2 redirect']],
  ['<meta httpEquiv="refresh" content="0;url=https://evil.test" />', ['1 redirect evil.test']],
  ['{"source": "/", "destination": "https://evil.test/"}', ['1 redirect evil.test']],
  ['/* https://evil.test/:splat 301', ['1 redirect evil.test']],
  ['redirect_maps:\n  a.md: https://evil.test/', ['2 redirect evil.test']],
  ['<a href="/a" ping="https://evil.test">', ['1 form evil.test']],
  // Attributes in braces.
  ['# A {#a .b onclick="x()"}', ['1 script']],
  ['# A {: a=1&b=2 onclick=x() }', ['1 script']],
  [`{${'a=1&'.repeat(60)}`, []],
  [`{${'.a'.repeat(60)}`, []],
  // Diagrams.
  ['```mermaid\nclick A call run()\n```', ['2 script']],
  ['```mermaid\nclick A href "javascript:alert(1)"\n```', ['2 script']],
  ['Click the button. Then click A again.', []],
])('evaluates %s', (text, expected) => {
  expect(flags(text)).toEqual(expected)
})

it('reports an element that occurs once more, and none in a moved file', () => {
  const image = '![x](https://old.test/a.png)'
  expect(flags(`a\n${image}\n${image}\n`, `${image}\n`)).toEqual(['3 external_image old.test'])
  expect(flags(`${image} and more text\n`, `${image}\n`)).toEqual([])
  const file = { kind: 'modified', before: null, after: null } as const
  const content = new TextEncoder().encode(`${image}\n`)
  const moved = [
    { ...file, path: 'a/x.md', before: content },
    { ...file, path: 'b/x.md', after: content },
  ]
  expect(findFlags(moved)).toEqual([])
})

it('omits elements that already existed', () => {
  const text = '![x](https://old.test/a.png)\n'
  expect(flags(`${text}\n![y](https://new.test/b.png)\n`, text)).toEqual(['3 external_image new.test'])
})
