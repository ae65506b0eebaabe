import type { DeployTarget, ProjectSettings } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { fromPairs, toJsonObject, toPairs } from './form-text.ts'
import { SettingsForm } from './settings-form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

type Kind = 'none' | DeployTarget['kind']

const KINDS = [
  { value: 'none', label: 'None' },
  { value: 'hook', label: 'Deploy hook' },
  { value: 'workflow_dispatch', label: 'GitHub workflow (workflow_dispatch)' },
  { value: 'repository_dispatch', label: 'GitHub event (repository_dispatch)' },
] as const

/** The documentation's deployment target and triggers. */
export function DeployTargetSection({ settings }: { settings: ProjectSettings }) {
  const { deployTarget: target } = settings
  const [kind, setKind] = useState<Kind>(target?.kind ?? 'none')
  const [text, setText] = useState({
    url: '',
    workflow: target?.kind === 'workflow_dispatch' ? target.workflow : '',
    ref: target?.kind === 'workflow_dispatch' ? (target.ref ?? '') : '',
    inputs: target?.kind === 'workflow_dispatch' ? fromPairs(target.inputs) : '',
    eventType: target?.kind === 'repository_dispatch' ? target.eventType : '',
    payload:
      target?.kind === 'repository_dispatch' && target.clientPayload
        ? JSON.stringify(target.clientPayload, null, 2)
        : '',
    previewUrl: settings.previewUrlTemplate ?? '',
  })
  const [onMerge, setOnMerge] = useState(settings.deployOnMerge)
  const [deleteBranch, setDeleteBranch] = useState(settings.deleteBranchOnClose)
  const [problem, setProblem] = useState<string | null>(null)
  const save = useSaveSettings()
  const bind = (name: keyof typeof text) => ({
    value: text[name],
    onChange: (event: { target: { value: string } }) => setText((all) => ({ ...all, [name]: event.target.value })),
  })
  const keepsHook = kind === 'hook' && target?.kind === 'hook' && text.url.trim() === ''
  const onSave = () => {
    setProblem(null)
    try {
      save.mutate({
        deployOnMerge: onMerge,
        deleteBranchOnClose: deleteBranch,
        previewUrlTemplate: text.previewUrl.trim() || null,
        // The hook URL is never shown, so an empty field keeps the current URL.
        ...(keepsHook ? {} : { deployTarget: toTarget(kind, text) }),
      })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Block
      title="Deployment"
      id="deployment"
      description="How the documentation is built and published. A deployment is started through the API, by a merge, or with “Deploy now”."
    >
      <div className="block-body">
        <SettingsForm action="Save deployment" busy={save.isPending} error={problem ?? save.error} onSave={onSave}>
          <Select label="Deploy with" options={KINDS} value={kind} onValue={(value) => setKind(value as Kind)} />
          {kind === 'hook' ? (
            <Field
              label="Hook URL"
              type="url"
              required={target?.kind !== 'hook'}
              autoComplete="off"
              hint={
                target?.kind === 'hook'
                  ? `Leave empty to keep the current URL (${target.host}).`
                  : 'Receives a POST request.'
              }
              {...bind('url')}
            />
          ) : null}
          {kind === 'workflow_dispatch' ? (
            <>
              <Field
                label="Workflow"
                required
                hint="File name in .github/workflows, such as docs.yml."
                {...bind('workflow')}
              />
              <Field label="Workflow branch" hint="Leave empty for the base branch." {...bind('ref')} />
              <TextArea
                label="Inputs"
                rows={3}
                spellCheck={false}
                hint="One NAME=VALUE pair per line."
                {...bind('inputs')}
              />
            </>
          ) : null}
          {kind === 'repository_dispatch' ? (
            <>
              <Field label="Event type" required maxLength={100} {...bind('eventType')} />
              <TextArea
                label="Payload"
                rows={4}
                spellCheck={false}
                hint="Optional. A JSON object."
                {...bind('payload')}
              />
            </>
          ) : null}
          {kind === 'none' ? null : (
            <Field
              label="Preview URL"
              hint="Optional. URL of a branch's preview, such as https://{branchSlug}.preview.example.com."
              {...bind('previewUrl')}
            />
          )}
          <Checkbox label="Deploy when a job's pull request is merged" checked={onMerge} onChecked={setOnMerge} />
          <Checkbox
            label="Delete a job's branch when its pull request is merged or closed"
            checked={deleteBranch}
            onChecked={setDeleteBranch}
          />
        </SettingsForm>
      </div>
    </Block>
  )
}

/**
 * Converts the form values into a deploy target. Checks only the syntax of the inputs and the
 * payload. The service validates the result.
 * @throws Error with a user-facing message if a field cannot be parsed
 */
function toTarget(kind: Kind, text: Readonly<Record<string, string>>): DeployTarget | null {
  const { url = '', workflow = '', ref = '', inputs = '', eventType = '', payload = '' } = text
  if (kind === 'none') return null
  if (kind === 'hook') return { kind, url: url.trim() }
  if (kind === 'workflow_dispatch') {
    const pairs = toPairs(inputs)
    return {
      kind,
      workflow: workflow.trim(),
      ...(ref.trim() === '' ? {} : { ref: ref.trim() }),
      ...(Object.keys(pairs).length === 0 ? {} : { inputs: pairs }),
    }
  }
  const clientPayload = toJsonObject(payload) as Extract<DeployTarget, { kind: 'repository_dispatch' }>['clientPayload']
  return { kind, eventType: eventType.trim(), ...(clientPayload === undefined ? {} : { clientPayload }) }
}
