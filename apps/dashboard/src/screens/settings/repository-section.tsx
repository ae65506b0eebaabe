import type { ProjectSettings } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { useUser } from '../../shell/use-project.ts'
import { ConnectionTest } from './connection-test.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { ConnectionCheck } from './use-connection-check.ts'
import { useSaveSettings } from './use-save-settings.ts'

/** The project's name and repository, with a connection check by a worker. */
export function RepositorySection({ settings, check }: { settings: ProjectSettings; check: ConnectionCheck }) {
  const [name, setName] = useState(settings.name)
  const [repository, setRepository] = useState(settings.repository)
  const [branch, setBranch] = useState(settings.baseBranch ?? '')
  const save = useSaveSettings((saved) => {
    if (saved.repository !== settings.repository || saved.baseBranch !== settings.baseBranch) check.start()
  })
  const isAdmin = useUser()?.isAdmin === true
  return (
    <Block title="Repository" id="repository">
      <div className="block-body">
        <SettingsForm
          action="Save repository"
          busy={save.isPending}
          error={save.error}
          onSave={() =>
            save.mutate({
              name,
              ...(isAdmin ? { repository } : {}),
              baseBranch: branch.trim() === '' ? null : branch.trim(),
            })
          }
        >
          <Field label="Name" required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <Field
            label="Repository URL"
            type="url"
            required
            readOnly={!isAdmin}
            hint={isAdmin ? undefined : 'Only an admin can change the repository.'}
            value={repository}
            onChange={(event) => setRepository(event.target.value)}
          />
          <Field
            label="Base branch"
            hint="Leave empty for the repository's default branch."
            value={branch}
            onChange={(event) => setBranch(event.target.value)}
          />
        </SettingsForm>
        <ConnectionTest check={check} />
      </div>
    </Block>
  )
}
