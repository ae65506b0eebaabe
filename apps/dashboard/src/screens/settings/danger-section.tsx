import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { projectsQuery } from '../../api/projects.ts'
import { deleteProject } from '../../api/settings.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { useProject } from '../../shell/use-project.ts'

const FORM = 'delete-project'

/** Deletes the project, once its name has been typed. */
export function DangerSection() {
  const project = useProject()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: (id: string) => deleteProject(id, typed),
    onSuccess: async () => {
      await navigate({ to: '/projects' })
      await queryClient.invalidateQueries(projectsQuery)
    },
  })
  if (!project) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === project.name) remove.mutate(project.id)
  }
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
      description="Deletes the project with its jobs, keys, transcripts and logs. Pull requests and branches at the Git host stay."
    >
      <div className="block-body">
        <div>
          <Button look="danger" onClick={() => setOpen(true)}>
            Delete project
          </Button>
        </div>
      </div>
      <Dialog
        open={isOpen}
        onClose={close}
        title={`Delete ${project.name}?`}
        description="This cannot be taken back. Its API keys stop working at once."
        actions={
          <>
            <Button onClick={close}>Keep it</Button>
            <Button type="submit" form={FORM} look="danger" busy={remove.isPending} disabled={typed !== project.name}>
              Delete for ever
            </Button>
          </>
        }
      >
        <form id={FORM} className="stack" onSubmit={submit}>
          <Field
            label="Type the name of the project"
            hint={<code>{project.name}</code>}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {remove.error ? <ErrorNote error={remove.error} /> : null}
        </form>
      </Dialog>
    </Block>
  )
}
