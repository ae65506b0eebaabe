import { z } from 'zod'
import { hasWords, isPlain, isStorable, plain, storable, words } from './text-rules.ts'

/** Maximum number of saved prompts per project. */
export const MAX_SAVED_PROMPTS = 100

/** Maximum length of a saved prompt in UTF-16 code units. */
export const MAX_SAVED_PROMPT_LENGTH = 20_000

const name = z.string().trim().min(1).max(100).refine(isPlain, plain)
const prompt = z.string().min(1).max(MAX_SAVED_PROMPT_LENGTH).refine(isStorable, storable).refine(hasWords, words)

/** A prompt that the members of a project have saved for new jobs. */
export const SavedPrompt = z.object({
  id: z.string(),
  name: z.string(),
  prompt: z.string(),
  /** Name of the user who saved it. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime({ precision: 3 }),
})
export type SavedPrompt = z.infer<typeof SavedPrompt>

/** Saved prompts, by name. */
export const SavedPromptList = z.object({ prompts: z.array(SavedPrompt) })
export type SavedPromptList = z.infer<typeof SavedPromptList>

/** Names are unique in a project, ignoring case. */
export const SavePromptRequest = z.strictObject({ name, prompt })
export type SavePromptRequest = z.infer<typeof SavePromptRequest>

/** Changes only the given fields. */
export const UpdateSavedPromptRequest = SavePromptRequest.partial()
export type UpdateSavedPromptRequest = z.infer<typeof UpdateSavedPromptRequest>
