export { hideInLog, type Log, openLog } from './open-log.ts'
export {
  ConfigError,
  type Env,
  hookHosts,
  hosts,
  integer,
  logLevel,
  postgresUrl,
  readEnv,
  redisUrl,
  type TrustedProxies,
  trueOrFalse,
  trustedProxies,
} from './read-env.ts'
