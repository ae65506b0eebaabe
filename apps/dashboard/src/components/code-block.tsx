import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  readonly code: string
  /** Accessible name, such as "Command that creates a job". */
  readonly label: string
}

/** A code block with a copy button. Long lines wrap instead of scrolling. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <figure className="code-block" aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} variant="quiet" />
    </figure>
  )
}
