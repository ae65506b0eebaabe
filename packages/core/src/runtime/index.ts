export { listServiceSecrets } from './list-service-secrets.ts'
export { hideInLog, type Log, openLog } from './open-log.ts'
export { postgresUrl } from './postgres-url.ts'
export {
  amount,
  ConfigError,
  type Env,
  gitHosts,
  gitHostTokens,
  hookHosts,
  hosts,
  integer,
  logLevel,
  number,
  proxyUrl,
  readEnv,
  type TrustedProxies,
  toAllowedHosts,
  trueOrFalse,
  trustedProxies,
} from './read-env.ts'
export { findRedisSettingProblems, type RedisAddress, redisSettings, toRedisAddress } from './redis-settings.ts'
export { serviceSettings } from './service-settings.ts'
