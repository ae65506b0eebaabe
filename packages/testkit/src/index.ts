export {
  createRepository,
  type GitFault,
  type GitHost,
  type GitHostOptions,
  type NewRepository,
  type PullRequest,
  type RecordedRequest,
} from '@corrigenda/demo'
export type { MessagesRequest } from '@corrigenda/demo/messages-api'
export { findFreePort } from '@corrigenda/embedded-postgres'
export type { Browser, Page } from 'playwright-core'
export { ensureBrowser } from './browser/ensure-browser.ts'
export { expectAccessible } from './browser/expect-accessible.ts'
export { expectNoSideScroll } from './browser/expect-no-side-scroll.ts'
export { openBrowser } from './browser/open-browser.ts'
export { openPage, type PageOptions, type Theme, themes, type WatchedPage, widths } from './browser/open-page.ts'
export { ensureRedisServer } from './databases/ensure-redis.ts'
export { makeDatabaseDir } from './databases/make-database-dir.ts'
export { type PgBouncerOptions, startPgBouncer, type TestPgBouncer } from './databases/start-pgbouncer.ts'
export { startRedis, type TestRedis } from './databases/start-redis.ts'
export { ensureNginx } from './debian/ensure-nginx.ts'
export { ensurePgBouncer } from './debian/ensure-pgbouncer.ts'
export { ensurePrometheus } from './debian/ensure-prometheus.ts'
export { ensureSshKeygen } from './debian/ensure-ssh-keygen.ts'
export { findTinyproxy } from './debian/find-tinyproxy.ts'
export { waitUntilListening } from './debian/wait-until-listening.ts'
export { type Forgejo, startForgejo } from './forgejo/start-forgejo.ts'
export { startGitHost } from './git-host/start-git-host.ts'
export { type GitLab, startGitLab } from './gitlab/start-gitlab.ts'
export { buildModelScript } from './messages-api/build-model-script.ts'
export type { Fault, FaultKind, InjectedFault } from './messages-api/fault.ts'
export type { ModelScript } from './messages-api/model-script.ts'
export { buildObedientModel, type ObedientModelOptions } from './messages-api/obedient-model.ts'
export { promptModelScript, scriptPrompt } from './messages-api/prompt-script.ts'
export { nextScriptTurn, type ScriptItem, type ScriptTurn } from './messages-api/script-turn.ts'
export {
  anthropicProfile,
  gatewayProfile,
  localProfile,
  type ServerProfile,
} from './messages-api/server-profile.ts'
export { type BedrockFront, startBedrockFront } from './messages-api/start-bedrock-front.ts'
export { type MessagesApi, type MessagesApiOptions, startMessagesApi } from './messages-api/start-messages-api.ts'
export { startVertexFront, type VertexFront } from './messages-api/start-vertex-front.ts'
export { type OidcFault, type OidcProfile, type OidcProvider, startOidcProvider } from './oidc/start-oidc-provider.ts'
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp/start-otlp-receiver.ts'
export { type ConnectProxy, type ConnectProxyOptions, startConnectProxy } from './proxy/start-connect-proxy.ts'
export { startTinyproxy } from './proxy/start-tinyproxy.ts'
export { startTlsFront, TEST_CERTIFICATE } from './proxy/start-tls-front.ts'
export { readSiteFixtures } from './sites/read-site-fixtures.ts'
