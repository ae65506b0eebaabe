import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { useUser } from '../../shell/use-project.ts'
import { ConnectionTest } from './connection-test.tsx'
import type { SettingsForm } from './form/use-settings-form.ts'
import type { ConnectionCheck } from './use-connection-check.ts'

/** The project's name and repository, with a connection check by a worker. */
export function RepositorySection({ form, check }: { form: SettingsForm; check: ConnectionCheck }) {
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
