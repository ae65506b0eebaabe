import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Dialog } from '../../components/dialog.tsx'

/** Shows a signing secret once. */
export function SecretOnce(props: { title: string; secret: string; note?: string; onClose: () => void }) {
  const { title, secret, note, onClose } = props
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="Copy the signing secret now. It will not be shown again."
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock code={secret} label="Signing secret" />
      {note ? <p>{note}</p> : null}
    </Dialog>
  )
}
