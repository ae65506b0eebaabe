import { CopyButton } from './copy-button.tsx'
import './code-block.css'

export interface CodeBlockProps {
  readonly code: string
  /** What it is, read aloud: "Command that creates a job". */
  readonly label: string
}

/** Text in the type of code, with a button that copies it. Long lines wrap: nothing here needs scrolling. */
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
