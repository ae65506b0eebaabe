export { hideInLog, type Log, openLog } from './open-log.ts'
export {
  amount,
  ConfigError,
  type Env,
  hookHosts,
  hosts,
  integer,
  logLevel,
  number,
  postgresUrl,
  proxyUrl,
  readEnv,
  redisUrl,
  type TrustedProxies,
  trueOrFalse,
  trustedProxies,
} from './read-env.ts'
