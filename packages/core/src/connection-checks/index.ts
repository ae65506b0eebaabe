export {
  type CheckProgress,
  type Connection,
  type ConnectionCheckClaim,
  claimConnectionCheck,
  createConnectionCheck,
  getConnection,
  getConnectionCheck,
  MAX_CHECK_ATTEMPTS,
  recordConnectionCheck,
  releaseConnectionCheck,
} from './connection-checks.ts'
