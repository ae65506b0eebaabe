import { CiteMode, DOCS_SOURCE, type ProjectSource, SourceVisibility } from '@corrigenda/contracts'
import { useState } from 'react'
import { Field, Select, TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useSaveSettings } from './form/use-settings-form.ts'
import { fromLines, toLines } from './form-text.ts'

const VISIBILITIES = [
  { value: '', label: 'Ask the Git host' },
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
]
const CITES = [
  { value: '', label: 'Links for a public source, nothing for a private one' },
  { value: 'links', label: 'Links to the lines' },
  { value: 'names', label: 'File names without links' },
  { value: 'none', label: 'Nothing' },
]

/** Adds a source, or changes one. The name of an existing source is fixed, because jobs refer to it. */
export function SourceDialog(props: {
  /** Null: adds a source. */
  source: ProjectSource | null
  sources: readonly ProjectSource[]
  onSaved: () => void
  onClose: () => void
}) {
  const { source, sources, onSaved, onClose } = props
  const [visibility, setVisibility] = useState(source?.visibility ?? '')
  const [cite, setCite] = useState(source?.cite ?? '')
  const [nameError, setNameError] = useState<string | null>(null)
  const save = useSaveSettings(onSaved)
  const submit = (read: (name: string) => string) => {
    const name = read('name').trim()
    if (source === null && (name === DOCS_SOURCE || sources.some((one) => one.name === name))) {
      return setNameError(`The project already has a source ${name}.`)
    }
    const saved: ProjectSource = {
      name,
      repository: read('repository').trim(),
      ref: read('ref').trim() || null,
      visibility: SourceVisibility.safeParse(visibility).data ?? null,
      cite: CiteMode.safeParse(cite).data ?? null,
      paths: toLines(read('paths')),
      quotable: toLines(read('quotable')),
    }
    const next = source === null ? [...sources, saved] : sources.map((one) => (one.name === source.name ? saved : one))
    save.mutate({ sources: next, savedSource: name }, { onSuccess: onClose })
  }
  const word = { autoComplete: 'off', spellCheck: false }
  return (
    <FormDialog
      title={source === null ? 'Add source' : `Edit source ${source.name}`}
      action={source === null ? 'Add source' : 'Save source'}
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field
        {...word}
        label="Name"
        name="name"
        required
        maxLength={40}
        pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
        title="Lower-case letters, digits and hyphens"
        readOnly={source !== null}
        defaultValue={source?.name ?? ''}
        error={nameError}
        hint={
          source === null
            ? 'Used in job requests and in pull requests, such as api. Lower-case letters, digits and hyphens.'
            : 'The name cannot be changed. To rename the source, remove it and add it again.'
        }
        onChange={() => setNameError(null)}
      />
      <Field
        {...word}
        label="Repository URL"
        name="repository"
        type="url"
        required
        maxLength={500}
        defaultValue={source?.repository ?? ''}
        hint="Such as https://github.com/acme/product. If the host changes, the token of the source is removed."
      />
      <Field
        {...word}
        label="Branch"
        name="ref"
        defaultValue={source?.ref ?? ''}
        hint="Leave empty for the repository's default branch."
      />
      <TextArea
        {...word}
        label="Paths"
        name="paths"
        rows={2}
        defaultValue={fromLines(source?.paths ?? [])}
        hint="What the agent can list, search and read. One pattern per line, such as packages/api/**. Leave empty for the whole repository."
      />
      <Select
        label="Visibility"
        options={VISIBILITIES}
        value={visibility}
        onValue={setVisibility}
        hint="A change that copies text of a private source is refused. If the Git host does not report the visibility, the source counts as private."
      />
      <Select
        label="Citations in pull requests"
        options={CITES}
        value={cite}
        onValue={setCite}
        hint="How pull requests name the lines that support a change. The job page always shows them."
      />
      <TextArea
        {...word}
        label="Quotable paths"
        name="quotable"
        rows={2}
        defaultValue={fromLines(source?.quotable ?? [])}
        hint="Files of a private source whose text may be published, such as examples/**. One pattern per line."
      />
    </FormDialog>
  )
}
