import { type DashboardProject, MAX_PROMPT_LENGTH } from '@corrigenda/contracts'
import type { ChangeEvent, ReactNode } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Field } from '../../components/field.tsx'
import { TextArea } from '../../components/text-area.tsx'
import type { JobDraft } from './job-draft.ts'
import { SourcesField } from './sources-field.tsx'

export interface JobFieldsProps {
  readonly draft: JobDraft
  readonly onChange: (change: Partial<JobDraft>) => void
  readonly baseBranch: string
  /** Values of options that the user has not changed. */
  readonly defaults: DashboardProject['jobDefaults']
  /** Names of the project's sources. */
  readonly sources: readonly string[]
  readonly errors: Readonly<Record<'prompt' | 'metadata' | 'sources', string | null>>
}

/** The form controls of a new job. Less common options are shown on demand. */
export function JobFields(props: JobFieldsProps) {
  const controls = buildControls(props)
  return (
    <>
      {controls.prompt}
      <div className="new-job-options">
        {controls.model}
        {controls.ref}
      </div>
      {controls.sources}
      {controls.draft}
      <Disclosure title="More options">
        <div className="new-job-more">
          <div className="new-job-options">
            {controls.title}
            {controls.branch}
            {controls.labels}
            {controls.metadata}
          </div>
          {controls.dedupe}
        </div>
      </Disclosure>
    </>
  )
}

function buildControls(props: JobFieldsProps): Record<keyof JobDraft, ReactNode> {
  const { draft, onChange, baseBranch, defaults, errors } = props
  const bind = (name: { [Name in keyof JobDraft]: JobDraft[Name] extends string ? Name : never }[keyof JobDraft]) => ({
    name,
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: event.target.value }),
  })
  const word = { autoComplete: 'off', spellCheck: false }
  return {
    prompt: (
      <TextArea
        label="Prompt"
        prose
        rows={8}
        maxLength={MAX_PROMPT_LENGTH}
        error={errors.prompt}
        hint="Describe the change in one or more sentences. Press Ctrl+Enter or ⌘+Enter to create the job."
        {...bind('prompt')}
      />
    ),
    model: <Field label="Model" placeholder="Default model" {...word} {...bind('model')} />,
    ref: <Field label="Base branch" placeholder={baseBranch} {...word} {...bind('ref')} />,
    draft: (
      <Checkbox
        name="draft"
        label="Open the pull request as a draft"
        checked={draft.draft ?? defaults.draft}
        onChecked={(draft) => onChange({ draft })}
      />
    ),
    title: (
      <Field label="Title" placeholder="Chosen by the agent" maxLength={200} autoComplete="off" {...bind('title')} />
    ),
    branch: <Field label="New branch" placeholder="corrigenda/…" {...word} {...bind('branch')} />,
    labels: <TextArea label="Labels" hint="One per line." rows={3} {...word} {...bind('labels')} />,
    metadata: (
      <TextArea
        label="Metadata"
        hint="Stored with the job. One NAME=VALUE pair per line."
        rows={3}
        error={errors.metadata}
        {...word}
        {...bind('metadata')}
      />
    ),
    sources:
      props.sources.length === 0 ? null : (
        <SourcesField
          names={props.sources}
          value={draft.sources}
          error={errors.sources}
          onChange={(sources) => onChange({ sources })}
        />
      ),
    dedupe: (
      <Checkbox
        name="dedupe"
        label="Reject this job if another job with the same prompt and base branch is active"
        checked={draft.dedupe ?? defaults.dedupe}
        onChecked={(dedupe) => onChange({ dedupe })}
      />
    ),
  }
}
