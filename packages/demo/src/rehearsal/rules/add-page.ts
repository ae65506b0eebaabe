import { createPage, toDescription } from '../plan/create-page.ts'
import { cleanPath, hasPageExtension } from '../plan/page-path.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { block, path, pattern, quoted, type Rule } from '../plan/rule.ts'

const sentence = pattern(`\\badd (?:a )?(?:new )?page ${path}`)
const titled = pattern(`\\b(?:titled|called|with (?:the )?title) ${quoted}`)
const grouped = pattern(`\\bin (?:the )?group ${quoted}`)
const withText = pattern(`\\bwith (?:the )?(?:text|content):? ?${block}`)

export const addPage: Rule = {
  usage: 'add page PATH titled "T" [in group "G"] with text """..."""',
  does: 'Creates the page with front matter and adds it to docs.json, in group G (created if missing) or\nnext to other pages in its folder. Asks for a missing title or text.',
  example: 'add page guides/proxy titled "Use a proxy" in group "Operating" with text """Set HTTPS_PROXY."""',
  match(prompt) {
    const found = sentence.exec(prompt)
    if (!found?.[1]) return null
    const rest = prompt.slice(found.index)
    const text = withText.exec(rest)?.[1]?.trim()
    const head = text ? rest.slice(0, withText.exec(rest)?.index) : rest
    const wanted = { title: titled.exec(head)?.[1], group: grouped.exec(head)?.[1] ?? null, text }
    const page = cleanPath(found[1])
    // Without a path, a title or a text, the words describe the page.
    if (!/[/.]/.test(page) && !wanted.title && !text) return null
    return { position: found.index, plan: () => add(hasPageExtension(page) ? page : `${page}.mdx`, wanted) }
  },
}

interface Wanted {
  title: string | undefined
  group: string | null
  text: string | undefined
}

function* add(page: string, { title, group, text }: Wanted): Plan<Ending> {
  const missing = [...(title ? [] : ['a title (titled "T")']), ...(text ? [] : ['its text (with text """...""")'])]
  if (!title || !text) {
    const reason = `What should the page ${page} contain? Missing: ${missing.join(' and ')}. Send the complete sentence: ${addPage.usage}`
    return { outcome: 'needs_input', reason }
  }
  return yield* createPage(page, { title, group, text, description: toDescription(title, text) })
}
