import Markdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { ExternalLink } from '../../components/button.tsx'
import './transcript.css'

/**
 * Untrusted Markdown. HTML is shown as text or dropped, links are limited to http(s), and images
 * are replaced by their alt text, so that no other host receives a request.
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
              Image: {alt || 'no description'}
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
