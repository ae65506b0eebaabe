export { createSavedPrompt, deleteSavedPrompt, listSavedPrompts, updateSavedPrompt } from './saved-prompts.ts'
