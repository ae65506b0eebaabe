import {
  type DashboardProject,
  JOB_OPTION_LIST,
  JOB_OPTIONS,
  type JobOption,
  type JobOptionName,
  MAX_PROMPT_LENGTH,
  type ModelChoice,
} from '@corrigenda/contracts'
import { type ChangeEvent, Fragment, type ReactNode, type Ref, useCallback, useEffect, useMemo, useRef } from 'react'
import { Disclosure } from '../../components/disclosure.tsx'
import { Checkbox, Field, Select, TextArea } from '../../components/field.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { type DraftErrors, EMPTY_DRAFT, type JobDraft } from './job-draft.ts'
import { hasModelChoice, ModelField } from './model-field.tsx'
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
  readonly errors: DraftErrors
}

const COMMON: readonly JobOptionName[] = ['model', 'ref', 'sources', 'draft']
/** Options that are shown only on demand, in their order. Switches are last. */
const ORDER: readonly JobOptionName[] = ['title', 'branch', 'labels', 'metadata']
const LESS_COMMON = [...new Set([...ORDER, ...JOB_OPTION_LIST.map(([name]) => name)])].filter(
  (name) => !COMMON.includes(name),
)
const isSwitch = (name: JobOptionName) => JOB_OPTIONS[name].kind === 'switch'

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
        isOpen={LESS_COMMON.some((name) => errors[name] !== undefined)}
      >
        <div className="new-job-more stack">
          <div className="new-job-options">
            {hasModels || !models?.allowsOther ? null : controls.model}
            {LESS_COMMON.filter((name) => !isSwitch(name)).map((name) => (
              <Fragment key={name}>{controls[name]}</Fragment>
            ))}
          </div>
          {LESS_COMMON.filter(isSwitch).map((name) => (
            <Fragment key={name}>{controls[name]}</Fragment>
          ))}
        </div>
      </Disclosure>
    </>
  )
}

/** The controls of the prompt and of each option. Options without a special control have one by kind. */
function buildControls(props: JobFieldsProps, prompt: Ref<HTMLTextAreaElement>): Record<keyof JobDraft, ReactNode> {
  const { draft, onChange, baseBranch, defaults, models, errors } = props
  const bind = (name: keyof JobDraft) => ({
    name,
    value: String(draft[name]),
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: event.target.value }),
  })
  const word = { autoComplete: 'off', spellCheck: false }
  const build = (name: JobOptionName, { kind, label, placeholder, hint, choices = [] }: JobOption): ReactNode => {
    switch (kind) {
      case 'text':
        return <Field label={label} placeholder={placeholder} {...word} {...bind(name)} />
      case 'list':
      case 'pairs': {
        const form = kind === 'list' ? 'One per line.' : 'One NAME=VALUE pair per line.'
        const text = hint === undefined ? form : `${hint} ${form}`
        return <TextArea label={label} hint={text} rows={3} {...word} {...bind(name)} />
      }
      case 'choice': {
        const options = [{ value: '', label: 'Default' }, ...choices]
        const onValue = (value: string) => onChange({ [name]: value })
        return <Select label={label} name={name} options={options} value={String(draft[name])} onValue={onValue} />
      }
      case 'switch': {
        const otherwise = (defaults as Readonly<Partial<Record<JobOptionName, boolean>>>)[name] ?? false
        const isOn = (draft[name] as boolean | null) ?? otherwise
        return <Checkbox name={name} label={label} checked={isOn} onChecked={(is) => onChange({ [name]: is })} />
      }
      case 'sources':
        return props.sources.length === 0 ? null : (
          <SourcesField
            names={props.sources}
            value={draft.sources}
            error={errors.sources ?? null}
            onChange={(sources) => onChange({ sources })}
          />
        )
    }
  }
  const byKind = Object.fromEntries(JOB_OPTION_LIST.map(([name, option]) => [name, build(name, option)]))
  return {
    ...(byKind as Record<JobOptionName, ReactNode>),
    prompt: (
      <TextArea
        ref={prompt}
        label="Prompt"
        prose
        rows={8}
        maxLength={MAX_PROMPT_LENGTH}
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
    ref: <Field label={JOB_OPTIONS.ref.label} placeholder={baseBranch} {...word} {...bind('ref')} />,
    title: (
      <Field
        label={JOB_OPTIONS.title.label}
        placeholder={JOB_OPTIONS.title.placeholder}
        maxLength={200}
        autoComplete="off"
        {...bind('title')}
      />
    ),
  }
}
