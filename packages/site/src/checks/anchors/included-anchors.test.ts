import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const HUGO: Files = {
  'hugo.toml': 'baseURL = "https://a.test/"\n',
  'layouts/shortcodes/card.html': '<div class="card"><h5>{{ .Get "title" }}</h5>{{ .Inner }}</div>\n',
  'layouts/shortcodes/pane.html': '{{ $id := printf "pane-%d" .Ordinal }}\n<div id="{{ $id }}">{{ .Inner }}</div>\n',
  'layouts/shortcodes/block.html': '<div id="block-{{ .Ordinal }}"></div>\n',
  'layouts/shortcodes/any.html': '<div id="{{ .Get "id" }}"></div>\n',
  'layouts/shortcodes/list.html': '{{ partial "list.html" . }}\n',
  'layouts/shortcodes/heading.html': '{{ range .Params }}\n## {{ . }}\n{{ end }}\n',
}
const GITBOOK: Files = {
  '.gitbook.yaml': 'root: ./\n',
  'SUMMARY.md': '# Summary\n\n* [A](a.md)\n',
  'parts/text.md': 'Text\n\n## Included\n',
  'parts/api.md': '{% openapi src="a.yaml" %}\n',
}

async function judge(files: Files, path: string, text: string): Promise<string> {
  const front = '---\ntitle: A\n---\n'
  const workspace = buildMemoryWorkspace({ ...files, [path]: `${front}A\n` })
  await workspace.write(path, new TextEncoder().encode(`${front}\n${text}\n`))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  const anchors = results.find(({ name }) => name === 'anchors')
  return anchors?.introduced === 0 ? (anchors.note === undefined ? 'found' : 'unknown') : 'missing'
}

it.each<[what: string, text: string, anchor: string, verdict: string]>([
  ['a template without ids', '{{< card title="x" >}}\n## Own\n{{< /card >}}', 'nowhere', 'missing'],
  ['a heading between shortcodes', '{{< card title="x" >}}\n## Own\n{{< /card >}}', 'own', 'found'],
  ['a template with numbered ids', '{{< pane >}}\n{{< /pane >}}', 'nowhere', 'missing'],
  ['an id of a variable', '{{< pane >}}\n{{< /pane >}}', 'pane-1', 'unknown'],
  ['an id with a prefix', '{{% block %}}', 'block-3', 'unknown'],
  ['an id from a parameter', '{{< any id="x" >}}', 'nowhere', 'unknown'],
  ['a template that uses another one', '{{< list >}}', 'nowhere', 'unknown'],
  ['a template with Markdown headings', '{{% heading a %}}', 'nowhere', 'unknown'],
  ['a template of a theme elsewhere', '{{< elsewhere >}}', 'nowhere', 'unknown'],
  ['a shortcode of Hugo', '{{< figure src="https://a.test/a.png" >}}', 'nowhere', 'missing'],
  ['a shortcode of Hugo with an id', '{{< figure src="https://a.test/a.png" id="x" >}}', 'nowhere', 'unknown'],
  ['an escaped shortcode', 'Write {{</* elsewhere */>}}.', 'nowhere', 'missing'],
  ['a heading with a shortcode', '## A {{% param "version" %}}', 'nowhere', 'unknown'],
  ['a heading with a shortcode and an id', '## A {{% param "version" %}} {#own}', 'nowhere', 'missing'],
  ['template code', '{{ range .Pages }}', 'nowhere', 'unknown'],
])('judges anchors of a Hugo page with %s', async (_, text, anchor, verdict) => {
  expect(await judge(HUGO, 'content/a.md', `${text}\n\n[x](#${anchor})`)).toBe(verdict)
})

it.each<[what: string, text: string, anchor: string, verdict: string]>([
  ['blocks', '{% hint style="info" %}\n## Own\n{% endhint %}', 'nowhere', 'missing'],
  ['a heading in a block', '{% hint style="info" %}\n## Own\n{% endhint %}', 'own', 'found'],
  ['a block in inline code', 'Write `{% openapi %}` here.', 'nowhere', 'missing'],
  ['a block that generates headings', '{% openapi src="a.yaml" %}', 'nowhere', 'unknown'],
  ['an expandable block', '<details>\n<summary>Own <b>title</b></summary>\n</details>', 'own-title', 'found'],
  ['a tab', '{% tabs %}\n{% tab title="Own" %}\nText\n{% endtab %}\n{% endtabs %}', 'own', 'found'],
  ['a heading with a number', '{% hint %}\n## 1. Own\n{% endhint %}', 'id-1.-own', 'found'],
  ['a heading with an ampersand', '{% hint %}\n## A & B\n{% endhint %}', 'a-and-b', 'found'],
  ['an included file', '{% include "parts/text.md" %}', 'nowhere', 'missing'],
  ['a heading of an included file', '{% include "parts/text.md" %}', 'included', 'unknown'],
  ['an included file with generated headings', '{% include "parts/api.md" %}', 'nowhere', 'unknown'],
])('judges anchors of a GitBook page with %s', async (_, text, anchor, verdict) => {
  expect(await judge(GITBOOK, 'a.md', `${text}\n\n[x](#${anchor})`)).toBe(verdict)
})
