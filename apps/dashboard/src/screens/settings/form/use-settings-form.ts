import type { ProjectSettings, SaveSettingsRequest } from '@corrigenda/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { projectsQuery } from '../../../api/projects.ts'
import { toSentence } from '../../../api/request.ts'
import { settingsQuery, updateSettings } from '../../../api/settings.ts'
import { useToast } from '../../../components/toast.tsx'
import { useDraft } from '../../../shell/draft-store.ts'
import { useProjectId } from '../../../shell/use-project.ts'
import {
  NO_EDITS,
  readEdits,
  type SettingsDraft,
  type SettingsEdits,
  type SettingsField,
  toEffectiveEdits,
  toSettingsDraft,
  toStoredEdits,
} from './settings-draft.ts'
import { type SettingsErrors, toSettingsChange } from './to-settings-change.ts'

const DRAFT = { empty: NO_EDITS, read: readEdits, toStored: toStoredEdits }

type NamesOf<Value> = { [Name in SettingsField]: SettingsDraft[Name] extends Value ? Name : never }[SettingsField]

export interface SettingsForm {
  readonly draft: SettingsDraft
  readonly errors: SettingsErrors
  readonly set: (change: SettingsEdits) => void
  /** Properties of a text field. */
  readonly bind: (name: NamesOf<string>) => {
    value: string
    error: string | undefined
    onChange: (event: { target: { value: string } }) => void
  }
  /** Properties of a checkbox. */
  readonly toggle: (name: NamesOf<boolean>) => { checked: boolean; onChecked: (checked: boolean) => void }
  /** Number of changed fields. */
  readonly count: number
  readonly isSaving: boolean
  /** An error that belongs to no single field. */
  readonly error: Error | null
  readonly save: () => void
  readonly discard: () => void
}

/**
 * The form of all settings. Only changes are kept and sent, so that two people can change different
 * fields. They survive navigation and reloads.
 */
export function useSettingsForm(settings: ProjectSettings, onSaved: (saved: ProjectSettings) => void): SettingsForm {
  const [edits, setEdits] = useDraft('settings', DRAFT)
  const [errors, setErrors] = useState<SettingsErrors>({})
  const latest = useRef(edits)
  latest.current = edits
  const saved = toSettingsDraft(settings)
  const effective = toEffectiveEdits(saved, edits)
  const edited = Object.keys(effective) as SettingsField[]
  const draft = { ...saved, ...effective }
  const sent = useRef(NO_EDITS)
  const change = useSaveSettings((next) => {
    // Later than the update of the saved settings, so that the fields do not show the old ones for a
    // moment. Keeps what the user has typed since.
    setTimeout(() => {
      const all = Object.entries(latest.current)
      setEdits(Object.fromEntries(all.filter(([name, value]) => sent.current[name as SettingsField] !== value)))
    })
    onSaved(next)
  })
  useEffect(() => {
    if (Object.keys(errors).length > 0) document.querySelector<HTMLElement>('.settings [aria-invalid]')?.focus()
  }, [errors])
  const set = (next: SettingsEdits) => {
    if (Object.keys(errors).length > 0) setErrors({})
    if (change.error) change.reset()
    setEdits(dropUndone(saved, { ...edits, ...next }))
  }
  return {
    draft,
    errors,
    set,
    count: edited.length,
    isSaving: change.isPending,
    error: Object.keys(errors).length > 0 ? null : change.error,
    bind: (name) => ({
      value: draft[name],
      error: errors[name],
      onChange: (event) => set({ [name]: event.target.value }),
    }),
    toggle: (name) => ({ checked: draft[name], onChecked: (checked) => set({ [name]: checked }) }),
    save: () => {
      const result = toSettingsChange(draft, edited)
      if ('errors' in result) return setErrors(result.errors)
      sent.current = effective
      const [only, ...others] = edited
      const onError = (error: Error) => {
        if (only !== undefined && others.length === 0) setErrors({ [only]: toSentence(error) })
      }
      if (!change.isPending) change.mutate(result.change, { onError })
    },
    discard: () => {
      setErrors({})
      change.reset()
      setEdits(NO_EDITS)
    },
  }
}

/** Removes edits that were undone. Keeps those in fields that are hidden at the moment. */
function dropUndone(saved: SettingsDraft, edits: SettingsEdits): SettingsEdits {
  return Object.fromEntries(
    Object.entries(edits).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as SettingsField]),
    ),
  )
}

/**
 * Returns a mutation that saves the current project's settings and updates the cached values.
 * @param onSaved called even if the form was replaced, because its values have changed
 */
export function useSaveSettings(onSaved?: (settings: ProjectSettings) => void) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (change: SaveSettingsRequest) => updateSettings(projectId, change),
    onSuccess: async (settings) => {
      queryClient.setQueryData(settingsQuery(projectId).queryKey, settings)
      toast('Settings saved.')
      onSaved?.(settings)
      await queryClient.invalidateQueries(projectsQuery)
    },
  })
}
