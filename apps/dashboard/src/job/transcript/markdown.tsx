import Markdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { ExternalLink } from '../../components/external-link.tsx'
import './markdown.css'

/**
 * Markdown that a stranger wrote. HTML in it is shown as text or dropped, links lead to http(s) only, and images are named instead of loaded: nothing
 * tells another host that somebody read this.
 */
export function SafeMarkdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Markdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={{
          a: ({ href = '', children }) => <ExternalLink href={href}>{children}</ExternalLink>,
          img: ({ alt, src }) => (
            <span className="markdown-image" title={typeof src === 'string' ? src : undefined}>
              Image: {alt || 'without description'}
            </span>
          ),
          input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
        }}
      >
        {text}
      </Markdown>
    </div>
  )
}
