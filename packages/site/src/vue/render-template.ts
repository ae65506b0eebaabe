import { tex } from '@mdit/plugin-tex'
import { componentPlugin } from '@mdit-vue/plugin-component'
import MarkdownIt from 'markdown-it'
import container from 'markdown-it-container'

/** A Vue template and the lines of the Markdown that its parts come from. */
export interface RenderedTemplate {
  readonly template: string
  /** Blocks of scripts and styles, which are not part of the template. */
  readonly blocks: readonly { readonly content: string; readonly line: number }[]
  /** Lists of attributes in braces that `markdown-it-attrs` adds to elements, and titles of code. */
  readonly marks: readonly { readonly content: string; readonly line: number }[]
  /** Returns the 1-based line of the Markdown at an offset in the template. */
  toLine(offset: number): number
}

type RenderRule = NonNullable<MarkdownIt['renderer']['rules'][string]>
type PluginWithParams = (markdown: MarkdownIt, ...params: unknown[]) => void

const CONTAINERS = ['tip', 'info', 'warning', 'danger', 'details', 'v-pre', 'raw', 'code-group']
/**
 * The element that containers are rendered as. VitePress uses elements that a page may also
 * contain, so that an error would name the container instead of an element in it.
 */
const CONTAINER = 'custom-block'
/** Matches blocks that are moved out of the template. */
const SFC_BLOCK = /^\s*<(script|style)(?=[\s>])[^>]*>[\s\S]*<\/\1\s*>\s*$/
/** Matches a list of attributes of `markdown-it-attrs`. */
const ATTRIBUTES = /\{[^{}\n]*\}/g
/** Matches expressions in a code block whose language ends with `-vue`, or their start. */
const MUSTACHE = /\{\{.*?(?:\}\}|$)/gm

const MARKDOWN = buildMarkdown()
/** Formulas are rendered with `v-pre`, so they contain neither elements nor expressions. */
const MARKDOWN_WITH_MATH = buildMarkdown().use(tex, { render: () => '' })

/**
 * Renders Markdown into the template that VitePress compiles. Only what affects Vue is rendered:
 * the order of elements and the expressions. `{{` is an expression everywhere except in fenced code
 * and elements with `v-pre`.
 * @param text without front matter, with LF line endings
 * @param hasMath true if text between dollar signs is a formula
 */
export function renderTemplate(text: string, hasMath: boolean): RenderedTemplate {
  const env = {}
  const markdown = hasMath ? MARKDOWN_WITH_MATH : MARKDOWN
  const tokens = markdown.parse(text, env)
  const { renderer, options } = markdown
  const parts: { readonly start: number; readonly line: number }[] = []
  const blocks: { readonly content: string; readonly line: number }[] = []
  const marks: { readonly content: string; readonly line: number }[] = []
  let template = ''
  let line = 0
  for (const [at, token] of tokens.entries()) {
    line = token.map?.[0] ?? line
    parts.push({ start: template.length, line })
    if (token.type === 'html_block' && SFC_BLOCK.test(token.content)) {
      blocks.push({ content: token.content, line: line + 1 })
      continue
    }
    const texts = token.children?.flatMap(({ type, content }) => (type === 'text' ? [content] : [])) ?? []
    const info = token.type === 'fence' ? [token.info] : []
    for (const content of [...texts, ...info].flatMap((one) => one.match(ATTRIBUTES) ?? []))
      marks.push({ content, line: line + 1 })
    for (const one of info) {
      const [start, end] = [one.indexOf('['), one.lastIndexOf(']')]
      // The title of a code block.
      if (start !== -1 && start < end) marks.push({ content: one.slice(start, end + 1), line: line + 1 })
    }
    const rule = renderer.rules[token.type]
    if (token.type === 'inline') template += renderer.renderInline(token.children ?? [], options, env)
    else if (rule === undefined) template += renderer.renderToken(tokens, at, options)
    else template += rule(tokens, at, options, env, renderer)
  }
  return {
    template,
    blocks,
    marks,
    toLine(offset) {
      let [low, high] = [0, parts.length]
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if ((parts[middle]?.start ?? 0) <= offset) low = middle
        else high = middle
      }
      const part = parts[low]
      if (part === undefined) return 1
      return part.line + template.slice(part.start, offset).split('\n').length
    },
  }
}

function buildMarkdown(): MarkdownIt {
  const markdown = MarkdownIt({ html: true }).use(componentPlugin)
  const { escapeHtml } = markdown.utils
  for (const name of CONTAINERS) {
    const hasTitle = name !== 'v-pre' && name !== 'raw' && name !== 'code-group'
    const render: RenderRule = (tokens, at, _, env) => {
      const token = tokens[at]
      if (token?.nesting !== 1) return `</${CONTAINER}>\n`
      const title = token.info.trim().slice(name.length).trim()
      const head = hasTitle ? `<p>${markdown.renderInline(title, env)}</p>` : ''
      return `<${CONTAINER}${name === 'v-pre' ? ' v-pre' : ''}>${head}`
    }
    // Its types refer to the CommonJS types of the parser.
    markdown.use(container as unknown as PluginWithParams, name, { render })
  }
  markdown.renderer.rules.fence = (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {}
    // Other languages are rendered with `v-pre`.
    if (!/-vue(?=[:{\s]|$)/.test(info)) return ''
    const expressions = (content.match(MUSTACHE) ?? []).filter((one) => one.endsWith('}}'))
    return `<pre>${expressions.join('\n')}</pre>`
  }
  markdown.renderer.rules.text = (tokens, at) => escapeHtml(tokens[at]?.content ?? '')
  return markdown
}
