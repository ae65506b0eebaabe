export { buildApp } from './app.ts'
export { type ApiConfig, loadApiConfig } from './config.ts'
export type { ApiDeps } from './deps.ts'
export { openApiLog, type RunningApi, startApi } from './start-api.ts'
