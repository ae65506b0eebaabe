import { DOCS_SOURCE } from '@corrigenda/contracts'
import { useId } from 'react'
import { Checkbox, Field } from '../../components/field.tsx'
import type { SourceDraft } from './job-draft.ts'

/**
 * Chooses the sources that the agent may read. Initially, all of them are chosen, which the request
 * does not repeat.
 */
export function SourcesField(props: {
  /** Names of the project's sources. */
  names: readonly string[]
  /** Null: all of them. */
  value: readonly SourceDraft[] | null
  error: string | null
  onChange: (value: readonly SourceDraft[] | null) => void
}) {
  const { names, error, onChange } = props
  const id = useId()
  const all = [DOCS_SOURCE, ...names]
  const value = props.value ?? all.map((name) => ({ name, at: '' }))
  // Keeps the order of the project.
  const set = (next: readonly SourceDraft[]) => {
    const isDefault = next.length === all.length && next.every(({ at }) => at.trim() === '')
    onChange(isDefault ? null : next)
  }
  const toggle = (name: string, isOn: boolean) =>
    set(
      all.flatMap((one) => {
        const known = value.find((source) => source.name === one)
        if (one === name) return isOn ? [{ name, at: '' }] : []
        return known === undefined ? [] : [known]
      }),
    )
  return (
    <fieldset aria-describedby={error === null ? `${id}-hint` : `${id}-hint ${id}-error`}>
      <legend>Sources</legend>
      <p className="note" id={`${id}-hint`}>
        Repositories that the agent may read. Enter a branch, a tag, a commit, or <code>#42</code> for a pull request.
        For the changes since a version or a date, enter <code>v1.2..main</code> or <code>2026-11-01..</code>
      </p>
      <ul className="new-job-source-list stack gap-2">
        {all.map((name) => {
          const chosen = value.find((source) => source.name === name)
          return (
            <li key={name} className="new-job-source">
              <Checkbox
                name={`source-${name}`}
                label={<code>{name}</code>}
                checked={chosen !== undefined}
                disabled={name === DOCS_SOURCE}
                onChecked={(isOn) => toggle(name, isOn)}
              />
              {chosen === undefined ? null : (
                <Field
                  label={`Read ${name} at`}
                  placeholder={name === DOCS_SOURCE ? 'Base branch' : 'Branch of the source'}
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={520}
                  value={chosen.at}
                  onChange={(event) =>
                    set(value.map((one) => (one.name === name ? { name, at: event.target.value } : one)))
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
      {error === null ? null : (
        <p className="field-error note" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
