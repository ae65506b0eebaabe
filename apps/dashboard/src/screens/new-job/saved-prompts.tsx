import { MAX_SAVED_PROMPT_LENGTH } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { savedPromptsQuery, savePrompt } from '../../api/new-job.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Menu } from '../../components/menu.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'
import { SavedPromptsDialog } from './saved-prompts-dialog.tsx'

/** Inserts a saved prompt into the form, saves the current one, and manages the saved ones. */
export function SavedPrompts({ prompt, onUse }: { prompt: string; onUse: (prompt: string) => void }) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data: saved = [] } = useQuery(savedPromptsQuery(projectId))
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const save = useAction({
    mutationFn: (name: string) => savePrompt(projectId, { name, prompt }),
    onSuccess: async () => {
      setDialog(null)
      toast('Prompt saved.')
      await queryClient.invalidateQueries(savedPromptsQuery(projectId))
    },
  })
  const isSavable = prompt.trim() !== '' && prompt.length <= MAX_SAVED_PROMPT_LENGTH
  return (
    <div className="cluster">
      {saved.length > 0 ? (
        <Menu
          align="start"
          trigger={
            <Button variant="quiet" icon="chevron">
              Saved prompts
            </Button>
          }
          entries={[
            ...saved.map(({ id, name, prompt }) => ({ id, label: name, onSelect: () => onUse(prompt) })),
            { id: 'manage', label: 'Manage saved prompts…', icon: 'settings', onSelect: () => setDialog('manage') },
          ]}
        />
      ) : null}
      <Button
        variant="quiet"
        icon="plus"
        disabled={!isSavable}
        onClick={() => {
          save.reset()
          setDialog('save')
        }}
      >
        Save prompt
      </Button>
      {dialog === 'save' ? (
        <FormDialog
          title="Save prompt"
          description="All members of the project can use and change it."
          action="Save"
          busy={save.isPending}
          error={save.error}
          onClose={() => setDialog(null)}
          onSubmit={(read) => save.mutate(read('name'))}
        >
          <Field label="Name" name="name" required maxLength={100} autoComplete="off" />
        </FormDialog>
      ) : null}
      {dialog === 'manage' ? (
        <SavedPromptsDialog
          prompts={saved}
          onUse={(prompt) => {
            setDialog(null)
            onUse(prompt)
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </div>
  )
}
