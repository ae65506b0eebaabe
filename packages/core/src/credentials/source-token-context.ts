/**
 * Returns the sealing context of a source's token. It contains the project id and the source's name,
 * so that a token copied to another row cannot be decrypted.
 * @param id `project id:source name`
 */
export const toSourceTokenContext = (id: string): string => `source-credential:${id}`

/** Returns the id of a source's credential: `project id:source name`. Neither part contains a colon. */
export const toSourceCredentialId = (projectId: string, source: string): string => `${projectId}:${source}`
