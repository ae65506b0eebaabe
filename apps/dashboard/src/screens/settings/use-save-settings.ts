import type { ProjectSettings, SaveSettingsRequest } from '@corrigenda/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectsQuery } from '../../api/projects.ts'
import { settingsQuery, updateSettings } from '../../api/settings.ts'
import { useToast } from '../../components/toast.tsx'
import { useProjectId } from '../../shell/use-project.ts'

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
