import { useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

interface SecretDialogProps {
  readonly title: string
  /** Label of the field with the secret. */
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
}

/**
 * Shows a secret once. Asks for confirmation if the dialog is closed before the secret is copied.
 */
export function SecretDialog({ title, label, secret, onClose }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  if (isAsking) {
    return (
      <Dialog
        open
        onClose={() => setAsking(false)}
        title="Close without copying?"
        description="The value has not been copied and will not be shown again."
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Go back</Button>
            <Button variant="danger" onClick={onClose}>
              Close without copying
            </Button>
          </>
        }
      />
    )
  }
  const close = () => (isCopied ? onClose() : setAsking(true))
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={title}
      description="Copy it now. It will not be shown again."
      actions={
        <Button variant={isCopied ? 'primary' : 'plain'} onClick={close}>
          Done
        </Button>
      }
    >
      <div className="secret-dialog-line">
        <Field
          label={label}
          value={secret}
          readOnly
          spellCheck={false}
          autoComplete="off"
          data-testid="secret"
          onFocus={(event) => event.currentTarget.select()}
          onCopy={() => setCopied(true)}
        />
        <CopyButton text={secret} variant={isCopied ? 'plain' : 'primary'} onCopied={() => setCopied(true)} />
      </div>
    </Dialog>
  )
}
