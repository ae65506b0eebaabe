export { createSavedPrompt } from './create-saved-prompt.ts'
export { deleteSavedPrompt } from './delete-saved-prompt.ts'
export { listSavedPrompts } from './list-saved-prompts.ts'
export { updateSavedPrompt } from './update-saved-prompt.ts'
