import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import type { SettingsForm } from './use-settings-form.ts'

/** Saves or discards all changes of the page. Shown while there are any. */
export function SaveBar({ form }: { form: SettingsForm }) {
  const { count, error, errors, isSaving, discard } = form
  if (count === 0) return null
  const problems = Object.keys(errors).length
  return (
    <section className="save-bar stack gap-2" aria-label="Unsaved changes">
      {error ? <ErrorNote error={error} /> : null}
      <div className="spread">
        <p role="status">
          <strong>{count === 1 ? '1 unsaved change' : `${count} unsaved changes`}</strong>
          {problems === 0 ? null : (
            <span className="save-bar-problem">
              {problems === 1 ? ' 1 field has an error.' : ` ${problems} fields have errors.`}
            </span>
          )}
        </p>
        <div className="cluster">
          <Button onClick={discard} disabled={isSaving}>
            Discard
          </Button>
          <Button type="submit" variant="primary" busy={isSaving}>
            Save changes
          </Button>
        </div>
      </div>
    </section>
  )
}
