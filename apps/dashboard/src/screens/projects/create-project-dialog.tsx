import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { useAction } from '../../api/use-action.ts'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'

/** Creates a project and opens its setup guide. */
export function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useAction({
    mutationFn: createProject,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      await navigate({ to: '/projects/$projectId/setup-guide', params: { projectId: id } })
    },
  })
  return (
    <FormDialog
      title="Create project"
      action="Create project"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(read) => {
        const baseBranch = read('baseBranch').trim() || null
        create.mutate({ name: read('name'), repository: read('repository'), baseBranch })
      }}
    >
      <Field label="Name" name="name" required maxLength={100} autoComplete="off" placeholder="Product docs" />
      <Field
        label="Repository"
        name="repository"
        type="url"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="https://github.com/acme/docs"
      />
      <Field
        label="Base branch"
        name="baseBranch"
        autoComplete="off"
        spellCheck={false}
        placeholder="Default branch"
        hint="Jobs start from this branch, and their pull requests target it."
      />
    </FormDialog>
  )
}
