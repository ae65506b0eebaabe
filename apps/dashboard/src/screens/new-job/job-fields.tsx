import { type DashboardProject, MAX_PROMPT_LENGTH, type ModelChoice } from '@corrigenda/contracts'
import { type ChangeEvent, type ReactNode, type Ref, useCallback, useEffect, useMemo, useRef } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { EMPTY_DRAFT, type JobDraft } from './job-draft.ts'
import { hasModelChoice, ModelField } from './model-field.tsx'
import { QUESTIONS } from './questions.ts'
import { SourcesField } from './sources-field.tsx'

export interface JobFieldsProps {
  readonly draft: JobDraft
  readonly onChange: (change: Partial<JobDraft>) => void
  readonly baseBranch: string
  /** Values of options that the user has not changed. */
  readonly defaults: DashboardProject['jobDefaults']
  /** Names of the project's sources. */
  readonly sources: readonly string[]
  /** Undefined while the models are loading. */
  readonly models: ModelChoice | undefined
  /** Controls for the prompt, below the field. */
  readonly prompts?: ReactNode
  readonly errors: Readonly<Record<'prompt' | 'metadata' | 'sources', string | null>>
}

/** Options that are shown only on demand. */
const LESS_COMMON = ['title', 'branch', 'labels', 'metadata', 'questions', 'dedupe'] as const

/** The form controls of a new job. The prompt has the focus. Less common options can be folded. */
export function JobFields(props: JobFieldsProps) {
  const { draft, models, errors, prompts } = props
  const prompt = useRef<HTMLTextAreaElement>(null)
  const controls = buildControls(props, prompt)
  const hasModels = hasModelChoice(models)
  const count = LESS_COMMON.filter((name) => draft[name] !== EMPTY_DRAFT[name]).length
  const focusPrompt = useCallback((options?: FocusOptions) => {
    const field = prompt.current
    field?.focus(options)
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  useEffect(() => focusPrompt({ preventScroll: true }), [focusPrompt])
  // On this page, the shortcut of the navigation has nowhere to go.
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New job', run: () => focusPrompt() }], [focusPrompt]))
  return (
    <>
      {controls.prompt}
      {prompts}
      <div className="new-job-options">
        {hasModels ? controls.model : null}
        {controls.ref}
      </div>
      {controls.sources}
      {controls.draft}
      <Disclosure
        title="Options"
        detail={count === 0 ? 'Title, branch, labels, metadata' : `${count} set`}
        isOpen={errors.metadata !== null}
      >
        <div className="new-job-more">
          <div className="new-job-options">
            {hasModels || !models?.allowsOther ? null : controls.model}
            {controls.title}
            {controls.branch}
            {controls.labels}
            {controls.metadata}
            {controls.questions}
          </div>
          {controls.dedupe}
        </div>
      </Disclosure>
    </>
  )
}

function buildControls(props: JobFieldsProps, prompt: Ref<HTMLTextAreaElement>): Record<keyof JobDraft, ReactNode> {
  const { draft, onChange, baseBranch, defaults, models, errors } = props
  const bind = (name: { [Name in keyof JobDraft]: JobDraft[Name] extends string ? Name : never }[keyof JobDraft]) => ({
    name,
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: event.target.value }),
  })
  const word = { autoComplete: 'off', spellCheck: false }
  return {
    prompt: (
      <TextArea
        ref={prompt}
        label="Prompt"
        prose
        rows={8}
        maxLength={MAX_PROMPT_LENGTH}
        error={errors.prompt}
        hint={
          <>
            Describe the change in one or more sentences.{' '}
            <span className="keyboard-hint">Press Ctrl+Enter or ⌘+Enter to create the job.</span>
          </>
        }
        {...bind('prompt')}
      />
    ),
    model: (
      <ModelField
        label="Model"
        name="model"
        choice={models}
        empty={models === undefined ? 'Default' : `Default (${models.default})`}
        value={draft.model}
        onValue={(model) => onChange({ model })}
      />
    ),
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
    questions: (
      <Select
        label="If the agent needs an answer"
        name="questions"
        options={[{ value: '', label: 'Default' }, ...QUESTIONS]}
        value={draft.questions}
        onValue={(questions) => onChange({ questions })}
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
