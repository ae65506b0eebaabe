import type { MonthlySpend, ProjectSettings } from '@corrigenda/contracts'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { projectsQuery } from '../../api/projects.ts'
import { deleteProject } from '../../api/settings.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SpendMeter } from '../../components/meter.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProject, useUser } from '../../shell/use-project.ts'
import { type ConnectionCheck, ConnectionTest, useConnectionCheck } from './connection-test.tsx'
import { CredentialSection } from './credential-section.tsx'
import { DeployTargetSection } from './deploy-target-section.tsx'
import { DeploymentsSection } from './deployments-section.tsx'
import { type SettingsForm, useSettingsForm } from './form/use-settings-form.ts'
import { PolicySection } from './policy-section.tsx'
import { SourcesSection } from './sources-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

const MAX_DAYS = 36_500

const FIELDS = [
  { name: 'maxTurns', label: 'Turns', hint: 'Model responses.', min: 1, max: 1000, step: 1 },
  {
    name: 'maxCostUsd',
    label: 'Cost in USD',
    hint: "Estimated from the model's prices.",
    min: 0.01,
    max: 100_000,
    step: 0.01,
  },
  { name: 'maxSeconds', label: 'Seconds of work', hint: 'Excludes waiting time.', min: 10, max: 604_800, step: 1 },
  {
    name: 'maxInputTokens',
    label: 'Input tokens',
    hint: 'Includes cached tokens.',
    min: 1000,
    max: 1_000_000_000,
    step: 1,
  },
  { name: 'maxOutputTokens', label: 'Output tokens', hint: '', min: 100, max: 1_000_000_000, step: 1 },
] as const

/** All sections of the settings. The fields are one form. Lists are changed in dialogs. */
export function OwnerSettings({ settings }: { settings: ProjectSettings }) {
  const check = useConnectionCheck()
  const form = useSettingsForm(settings, (saved) => {
    if (saved.repository !== settings.repository || saved.baseBranch !== settings.baseBranch) check.start()
  })
  const onSubmit = (event: FormEvent) => {
    // Forms in dialogs bubble through React's tree.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    form.save()
  }
  return (
    <form className="settings stack gap-5" onSubmit={onSubmit}>
      <RepositorySection form={form} check={check} />
      <CredentialSection credential={settings.credential} repository={settings.repository} onChange={check.start} />
      <SourcesSection settings={settings} check={check} />
      <PolicySection form={form} />
      <BudgetsSection form={form} />
      <MonthlyBudgetSection form={form} spend={settings.monthlySpend} />
      <RetentionSection form={form} />
      <DeployTargetSection form={form} target={settings.deployTarget} />
      <DeploymentsSection hasTarget={settings.deployTarget !== null} />
      <WebhooksSection />
      <DangerSection />
      <SaveBar form={form} />
    </form>
  )
}

/** The project's budget for each calendar month, and the spend of the current month. */
function MonthlyBudgetSection({ form, spend }: { form: SettingsForm; spend: MonthlySpend }) {
  return (
    <Block
      title="Monthly budget"
      id="monthly-budget"
      description="When the budget is used up, active jobs fail before their next turn and new jobs are rejected until the month ends. Webhooks receive a warning at 80%."
    >
      <div className="block-body">
        <SpendMeter spend={spend} />
        <div className="block-form">
          <Field
            label="US dollars per month"
            hint="Leave empty for no budget."
            type="number"
            inputMode="decimal"
            min={0.01}
            max={1_000_000_000}
            step={0.01}
            {...form.bind('monthlyBudgetUsd')}
          />
        </div>
      </div>
    </Block>
  )
}

/** The budgets for each run. */
function BudgetsSection({ form }: { form: SettingsForm }) {
  return (
    <Block
      title="Budgets"
      id="budgets"
      description="Limits for each run. A run that exceeds a limit fails. Service-wide limits also apply. Leave a field empty for no additional limit."
    >
      <div className="block-body">
        <div className="block-form block-row">
          {FIELDS.map(({ name, hint, ...field }) => (
            <Field
              key={name}
              {...field}
              {...form.bind(name)}
              hint={hint || undefined}
              type="number"
              inputMode="decimal"
            />
          ))}
        </div>
      </div>
    </Block>
  )
}

/** Deletes the project after the user types its name to confirm. */
function DangerSection() {
  const project = useProject()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useAction({
    mutationFn: (id: string) => deleteProject(id, typed),
    onSuccess: async () => {
      await navigate({ to: '/projects' })
    },
    refetch: [projectsQuery],
  })
  if (!project) return null
  const close = () => {
    setOpen(false)
    setTyped('')
    remove.reset()
  }
  return (
    <Block
      title="Danger zone"
      id="danger"
      danger
      description="Deletes the project with all its data, including jobs, transcripts, API keys, members and webhooks. Active jobs and deployments stop. Pull requests and branches on the Git host are kept."
    >
      <div className="block-body">
        <div>
          <Button variant="danger" onClick={() => setOpen(true)}>
            Delete project
          </Button>
        </div>
      </div>
      {isOpen ? (
        <FormDialog
          title={`Delete ${project.name}?`}
          description="This cannot be undone. The project's API keys will stop working immediately."
          action="Delete permanently"
          variant="danger"
          busy={remove.isPending}
          error={remove.error}
          disabled={typed !== project.name}
          onClose={close}
          onSubmit={() => remove.mutate(project.id)}
        >
          <Field
            label="Type the project name to confirm"
            hint={<code>{project.name}</code>}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </FormDialog>
      ) : null}
    </Block>
  )
}

/** The project's name and repository, with a connection check by a worker. */
function RepositorySection({ form, check }: { form: SettingsForm; check: ConnectionCheck }) {
  const isAdmin = useUser()?.isAdmin === true
  return (
    <Block title="Repository" id="repository">
      <div className="block-body">
        <div className="block-form">
          <Field label="Name" required maxLength={100} {...form.bind('name')} />
          <Field
            label="Repository URL"
            type="url"
            required
            readOnly={!isAdmin}
            hint={isAdmin ? undefined : 'Only an admin can change the repository.'}
            {...form.bind('repository')}
          />
          <Field
            label="Base branch"
            hint="Leave empty for the repository's default branch."
            {...form.bind('baseBranch')}
          />
        </div>
        <ConnectionTest check={check} />
      </div>
    </Block>
  )
}

/** Days after which the project's transcripts and jobs are removed. */
function RetentionSection({ form }: { form: SettingsForm }) {
  const days = { type: 'number', inputMode: 'numeric', min: 1, max: MAX_DAYS, step: 1 } as const
  return (
    <Block
      title="Data retention"
      id="retention"
      description="Old data is removed for good. If the period of the service is shorter, it applies. Jobs that are active or whose pull request is open are kept."
    >
      <div className="block-body">
        <div className="block-form">
          <Field
            {...days}
            label="Remove transcripts after (days)"
            hint="Leave empty to keep them as long as the service does."
            {...form.bind('transcriptDays')}
          />
          <Field
            {...days}
            label="Remove ended jobs after (days)"
            hint="Removes their prompts, transcripts, events and changes. Leave empty to keep them as long as the service does."
            {...form.bind('jobDays')}
          />
        </div>
      </div>
    </Block>
  )
}

/** Saves or discards all changes of the page. Shown while there are any. */
function SaveBar({ form }: { form: SettingsForm }) {
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
