import type { DocSite } from '../model/doc-site.ts'
import { maskCode } from '../model/mask-code.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'
import { insertBlock } from './insert-block.ts'

const FORMS: Readonly<Record<string, RegExp>> = {
  mkdocs: /-{1,}8<-{1,}[ \t]+["']([^"'\n:]+)/g,
  mdbook: /\{\{#(?:rustdoc_)?include[ \t]+([^\s:}]+)/g,
  vitepress: /(?:^<<<[ \t]+|<!--[ \t]*@include:[ \t]*)((?:(?!-->)[^\s{#[\]<>])+)/gm,
  hugo: /\{\{[<%][ \t]*readfile[ \t]+(?:file=)?"([^"\n]+)"/g,
  gitbook: /\{%[ \t]*include[ \t]+"([^"\n]+\.md)"/g,
  sphinx: /^(?:```|:::)\{(?:literal)?include\}[ \t]+(\S+)/gm,
}

function listIncluded(site: DocSite): DefectPlace[] {
  const pattern = FORMS[site.layout.framework]
  if (pattern === undefined) return []
  // The other frameworks also include files in code.
  const isMasked = site.layout.framework === 'gitbook'
  return site.content.flatMap((page) =>
    [...(isMasked ? maskCode(page.text) : page.text).matchAll(pattern)].map((match): DefectPlace => {
      const path = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(path)
      const broken = path.replace(/(\.\w+)?$/, '-nowhere$1')
      return { where: `${page.path}: ${path}`, build: () => editPage(page, start, start + path.length, broken) }
    }),
  )
}

function listSnippets(site: DocSite, random: () => number): DefectPlace[] {
  return site.content.map((page) => ({
    where: page.path,
    build: () => insertBlock(page, random, '<Snippet file="no-such-snippet.mdx" />'),
  }))
}

export const INCLUDE_DEFECTS: readonly DefectKind[] = [
  { id: 'include-missing', group: 'more', list: listIncluded },
  { id: 'snippet-missing', group: 'more', frameworks: ['mintlify'], list: listSnippets },
]
