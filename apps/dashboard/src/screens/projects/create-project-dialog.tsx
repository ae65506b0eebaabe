import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/read-form.ts'

/** Makes a project and goes to its first steps. */
export function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const form = useId()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: createProject,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      await navigate({ to: '/projects/$projectId/welcome', params: { projectId: id } })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create project"
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" type="submit" form={form} busy={create.isPending}>
            Create project
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          const read = readForm(event)
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
          placeholder="The repository's default"
          hint="Jobs start from it, and their pull requests go to it."
        />
        {create.error ? <ErrorNote error={create.error} /> : null}
      </form>
    </Dialog>
  )
}
