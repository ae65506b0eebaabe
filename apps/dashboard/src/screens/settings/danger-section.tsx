import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectsQuery } from '../../api/projects.ts'
import { deleteProject } from '../../api/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useProject } from '../../shell/use-project.ts'

/** Deletes the project after the user types its name to confirm. */
export function DangerSection() {
  const project = useProject()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useAction({
    mutationFn: (id: string) => deleteProject(id, typed),
    onSuccess: async () => {
      await navigate({ to: '/projects' })
      await queryClient.invalidateQueries(projectsQuery)
    },
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
