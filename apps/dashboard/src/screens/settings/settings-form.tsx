import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'

export interface SettingsFormProps {
  readonly onSave: () => void
  readonly busy: boolean
  readonly error?: unknown
  /** Label of the save button, such as "Save policy". */
  readonly action: string
  /** Additional buttons. */
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** Fields with a save button. Pressing Enter also saves. */
export function SettingsForm({ onSave, busy, error, action, more, children }: SettingsFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form className="block-form" onSubmit={submit}>
      {children}
      {error ? <ErrorNote error={error} /> : null}
      <div className="cluster">
        <Button type="submit" variant="primary" busy={busy}>
          {action}
        </Button>
        {more}
      </div>
    </form>
  )
}
