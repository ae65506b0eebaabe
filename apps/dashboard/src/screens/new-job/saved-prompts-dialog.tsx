import type { SavedPrompt } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteSavedPrompt, savedPromptsQuery, updateSavedPrompt } from '../../api/new-job.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'

/** Lists the project's saved prompts, to use, rename or delete them. */
export function SavedPromptsDialog(props: {
  prompts: readonly SavedPrompt[]
  onUse: (prompt: string) => void
  onClose: () => void
}) {
  const { prompts, onUse, onClose } = props
  return (
    <Dialog open onClose={onClose} title="Saved prompts" wide>
      {prompts.length === 0 ? (
        <p className="muted">No saved prompts.</p>
      ) : (
        <ul className="stack gap-0">
          {prompts.map((one) => (
            <Row key={one.id} saved={one} onUse={() => onUse(one.prompt)} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Row({ saved, onUse }: { saved: SavedPrompt; onUse: () => void }) {
  const { id, name, prompt, createdBy } = saved
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const [isRenaming, setRenaming] = useState(false)
  const reload = () => queryClient.invalidateQueries(savedPromptsQuery(projectId))
  const rename = useAction({
    mutationFn: (next: string) => updateSavedPrompt(projectId, id, { name: next }),
    onSuccess: async () => {
      setRenaming(false)
      await reload()
    },
  })
  if (isRenaming) {
    return (
      <li className="saved-prompt spread" data-testid="saved-prompt">
        <form
          className="stack"
          onSubmit={(event) => {
            const read = readForm(event)
            rename.mutate(read('name'))
          }}
        >
          <Field label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={name} autoFocus />
          {rename.error ? <ErrorNote error={rename.error} /> : null}
          <div className="cluster">
            <Button type="submit" variant="primary" busy={rename.isPending}>
              Save name
            </Button>
            <Button onClick={() => setRenaming(false)}>Cancel</Button>
          </div>
        </form>
      </li>
    )
  }
  return (
    <li className="saved-prompt spread" data-testid="saved-prompt">
      <div className="breakable">
        <strong>{name}</strong>
        {createdBy === null ? null : <span className="muted"> by {createdBy}</span>}
        <p className="clamp muted">{prompt}</p>
      </div>
      <div className="cluster">
        <Button onClick={onUse} aria-label={`Use ${name}`}>
          Use
        </Button>
        <Button variant="quiet" onClick={() => setRenaming(true)} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <ConfirmButton
          label="Delete"
          accessibleName={`Delete ${name}`}
          title={`Delete “${name}”?`}
          action="Delete"
          run={() => deleteSavedPrompt(projectId, id)}
          onDone={reload}
        >
          Members of the project can no longer use this prompt. Jobs are kept.
        </ConfirmButton>
      </div>
    </li>
  )
}
