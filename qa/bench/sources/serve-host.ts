import { startGitHost } from '@corrigenda/demo'

/**
 * Runs the local Git host in a process of its own, so that it does not share an event loop with the
 * measured code. Takes the folder of the repositories as its argument.
 */
const host = await startGitHost({ root: process.argv[2] ?? '' })
process.send?.({ url: host.url, apiUrl: host.apiUrl, token: host.token })
process.once('disconnect', () => process.exit(0))
