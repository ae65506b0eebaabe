import type { IncludeForm } from './include-form.ts'
import type { PageLink } from './page-content.ts'

const FORMS: readonly (readonly [IncludeForm, RegExp])[] = [
  ['comment', /<!--[ \t]{0,9}@include:[ \t]{0,9}([^\s{}#<>]{1,500})(?:[#{][^\n>]{0,200})?[ \t]{0,9}-->/g],
  ['code', /^[ \t]{0,3}<<<[ \t]{1,9}([^\s{}[\]#]{1,500})/gm],
  ['scissors', /^[ \t]{0,40}-{1,9}8<-{1,9}[ \t]{1,9}["']([^"'\n:*]{1,500})(?::[^"'\n/]{0,100})?["'][ \t]*$/gm],
  ['braces', /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t]{1,9}([^\s{}:]{1,500})/g],
  ['block', /\{%[ \t]{0,9}include[ \t]{1,9}["']([^"'\n]{1,500})["']/g],
  [
    'directive',
    /^[ \t]{0,40}(?:`{3,20}|:{3,20}|~{3,20})\{(?:literalinclude|include)\}[ \t]{1,9}([^\s*]{1,500})[ \t]*$/gm,
  ],
  [
    'readfile',
    /\{\{[<%][ \t]{0,9}readfile[ \t]{1,9}(?:file=)?["`]([^"`\n]{1,500})["`](?![^{}\n]{0,500}draft)[^{}\n]{0,500}[>%]\}\}/g,
  ],
  ['snippet', /<Snippet[ \t\n]{1,9}file=["']([^"'\n]{1,500})["']/g],
]
const ANY = /<!--[ \t]{0,9}@include|^[ \t]{0,3}<<<|-8<-|\{\{#|\{%[ \t]{0,9}include|<Snippet|include\}|readfile/m
/** Forms that documentation shows as examples in code, where they have no effect. */
const NOT_IN_CODE = new Set<IncludeForm>(['comment', 'code', 'block', 'snippet', 'directive'])

/**
 * Returns the files that a page includes. The site decides which forms apply to its pages.
 * @param isCode returns true if a line (1-based) is part of a code block
 */
export function findIncludes(text: string, isCode: (line: number) => boolean): PageLink[] {
  if (!ANY.test(text)) return []
  const found: PageLink[] = []
  const lines = text.split('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.length + 1
  }
  for (const [form, pattern] of FORMS) {
    let line = 0
    for (const match of text.matchAll(pattern)) {
      const at = match.index + match[0].indexOf(match[1] ?? '')
      while (line < starts.length && (starts[line] ?? 0) <= at) line += 1
      if (NOT_IN_CODE.has(form) && (isCode(line) || isInline(lines[line - 1] ?? '', match[0]))) continue
      found.push({ kind: 'include', form, href: match[1] ?? '', line })
    }
  }
  return found
}

/** Removes the includes that `findIncludes` returns. */
export function dropIncludes(text: string): string {
  return ANY.test(text) ? FORMS.reduce((rest, [, pattern]) => rest.replace(pattern, ''), text) : text
}

/** Returns true if the text is in inline code or escaped. */
function isInline(line: string, text: string): boolean {
  const before = line.slice(0, line.indexOf(text.split('\n', 1)[0] ?? ''))
  return before.endsWith('\\') || (before.match(/`/g)?.length ?? 0) % 2 === 1
}
