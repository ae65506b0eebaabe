import type { ProjectSource } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { saveSourceCredential, settingsQuery } from '../../api/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { useProjectId } from '../../shell/use-project.ts'

/** Saves the access token of a source. It is entered once and never shown again. */
export function SourceTokenDialog(props: { source: ProjectSource; onSaved: () => void; onClose: () => void }) {
  const { source, onSaved, onClose } = props
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const toast = useToast()
  const save = useAction({
    mutationFn: (token: string) => saveSourceCredential(projectId, source.name, { token }),
    onSuccess: async () => {
      onClose()
      toast('Token saved.')
      onSaved()
      await queryClient.invalidateQueries(settingsQuery(projectId))
    },
  })
  return (
    <FormDialog
      title={`Token of ${source.name}`}
      description={`Sent only to ${new URL(source.repository).host}. The agent has no access to it.`}
      action="Save token"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={(read) => save.mutate(read('token').trim())}
    >
      <Field
        label="Access token"
        name="token"
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        hint="A fine-grained personal access token for this repository, with read access to Contents and Pull requests."
      />
    </FormDialog>
  )
}
