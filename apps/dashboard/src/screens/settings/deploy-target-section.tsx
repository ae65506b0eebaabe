import type { ProjectSettings } from '@corrigenda/contracts'
import { Block } from '../../components/block.tsx'
import { Checkbox, Field, Select, TextArea } from '../../components/field.tsx'
import type { DeployKind } from './form/settings-draft.ts'
import type { SettingsForm } from './form/use-settings-form.ts'

const KINDS = [
  { value: 'none', label: 'None' },
  { value: 'hook', label: 'Deploy hook' },
  { value: 'workflow_dispatch', label: 'GitHub workflow (workflow_dispatch)' },
  { value: 'repository_dispatch', label: 'GitHub event (repository_dispatch)' },
] as const

/** The documentation's deployment target and triggers. */
export function DeployTargetSection({ form, target }: { form: SettingsForm; target: ProjectSettings['deployTarget'] }) {
  const { bind, toggle, draft, set } = form
  const kind = draft.deployKind
  return (
    <Block
      title="Deployment"
      id="deployment"
      description="How the documentation is built and published. A deployment is started through the API, by a merge, or with “Deploy now”."
    >
      <div className="block-body">
        <div className="block-form">
          <Select
            label="Deploy with"
            options={KINDS}
            value={kind}
            onValue={(value) => set({ deployKind: value as DeployKind })}
          />
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
              {...bind('hookUrl')}
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
              <Field label="Workflow branch" hint="Leave empty for the base branch." {...bind('workflowRef')} />
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
          <Checkbox label="Deploy when a job's pull request is merged" {...toggle('deployOnMerge')} />
          <Checkbox
            label="Delete a job's branch when its pull request is merged or closed"
            {...toggle('deleteBranchOnClose')}
          />
        </div>
      </div>
    </Block>
  )
}
