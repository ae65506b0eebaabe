import type {
  JobRequest,
  ModelChoice,
  SavedPrompt,
  SavedPromptList,
  SavePromptRequest,
  UpdateSavedPromptRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

/** The models that a new job can use. Requires the member role. */
export const modelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'models'],
    queryFn: ({ signal }) => request<ModelChoice>(toProjectPath(projectId, 'models'), { signal }),
    staleTime: 30_000,
  })

/** The request that creates a job again. Requires the member role. */
export const jobRequestQuery = (projectId: string, jobId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'job', jobId, 'request'],
    queryFn: ({ signal }) => request<JobRequest>(toProjectPath(projectId, 'jobs', jobId, 'request'), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The project's saved prompts. Requires the member role. */
export const savedPromptsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'prompts'],
    queryFn: async ({ signal }) =>
      (await request<SavedPromptList>(toProjectPath(projectId, 'prompts'), { signal })).prompts,
  })

export const savePrompt = (projectId: string, body: SavePromptRequest) =>
  request<SavedPrompt>(toProjectPath(projectId, 'prompts'), { method: 'POST', body })

export const updateSavedPrompt = (projectId: string, id: string, body: UpdateSavedPromptRequest) =>
  request<SavedPrompt>(toProjectPath(projectId, 'prompts', id), { method: 'PATCH', body })

export const deleteSavedPrompt = (projectId: string, id: string) =>
  request<void>(toProjectPath(projectId, 'prompts', id), { method: 'DELETE' })
