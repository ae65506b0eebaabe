import { loadApiConfig, startApi } from '@corrigenda/api'

/** Runs the API with the settings of the environment. */
const api = await startApi(loadApiConfig(process.env))
process.send?.(api.url)
process.once('disconnect', () => void api.close().finally(() => process.exit(0)))
