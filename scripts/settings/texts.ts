/** A setting's text in the generated documents. The rest comes from the schemas. */
export interface SettingText {
  /** Markdown sentences. Relative links start in `docs`. */
  readonly text: string
  /** What applies without the setting, if the schema does not state it. */
  readonly otherwise?: string
}

const plain = (text: string): SettingText => ({ text })
const or = (text: string, otherwise: string): SettingText => ({ text, otherwise })

/** All settings by section, in the order of `docs/configuration.md` and `.env.example`. */
export const SETTING_TEXTS: Readonly<Record<string, Readonly<Record<string, SettingText>>>> = {
  Required: {
    CORRIGENDA_SECRET: plain(
      'At least 32 random characters, such as the output of `openssl rand -hex 32`. It protects API keys and stored secrets. The database is bound to it. To change it, see [Rotate the secret](running.md#rotate-the-secret). In embedded mode, it is generated.',
    ),
    POSTGRES_PASSWORD: plain(
      'Password of the PostgreSQL server that Compose starts. Letters and digits only, such as the output of `openssl rand -hex 24`. You cannot change it after the volume has been created.',
    ),
    ANTHROPIC_API_KEY: plain(
      'API key for the Messages API. Not required if you use another [provider](providers.md). Without it, `serve` uses the rehearsal model.',
    ),
    GITHUB_TOKEN: plain(
      'Token for projects without their own token: a fine-grained token with read and write access to contents and pull requests. If neither this token nor a GitHub App is set, `serve` uses a local Git host. See [permissions](github.md#permissions).',
    ),
    CORRIGENDA_SECRET_PREVIOUS: plain('The old secret while you replace `CORRIGENDA_SECRET`.'),
  },
  'Database and queue': {
    DATABASE_URL: or(
      'PostgreSQL connection string. For TLS, add `?sslmode=verify-full`, and `&sslrootcert=FILE` for a private certificate authority. See [PostgreSQL over TLS](scaling.md#postgresql-over-tls).',
      'embedded PostgreSQL, for `serve` and `quickstart`',
    ),
    DATABASE_DIRECT_URL: or(
      'Connection string of the same database without a connection pooler in between. `migrate` uses it too. Required only if `DATABASE_URL` leads to a pooler. See [Connection poolers](scaling.md#connection-poolers).',
      '`DATABASE_URL`',
    ),
    REDIS_URL: or(
      'Redis or Valkey with `noeviction` and an append-only file. `rediss://user:password@host` uses TLS. With `REDIS_SENTINELS`, the host is the name of the master. See [Redis](scaling.md#redis).',
      'none; the queue then runs on PostgreSQL',
    ),
    REDIS_SENTINELS: or(
      'Sentinels that watch the master in `REDIS_URL`: `host` or `host:port` values separated by commas. The default port is 26379.',
      'none; Redis is at `REDIS_URL`',
    ),
    REDIS_SENTINEL_USERNAME: plain('User name for the sentinels. Requires `REDIS_SENTINEL_PASSWORD`.'),
    REDIS_SENTINEL_PASSWORD: plain('Password for the sentinels.'),
  },
  Network: {
    HOST: plain('IP address that the API listens on. With `serve` and `quickstart`, the default is `127.0.0.1`.'),
    PORT: plain('Port of the API.'),
    BIND: plain("Host IP address on which Compose publishes the API's port."),
    PUBLIC_URL: or(
      'URL at which browsers reach the service, without a path: `https://corrigenda.example.com`. An https URL makes cookies `Secure`. Also used for links in pull requests.',
      '`http://localhost:PORT`',
    ),
    TRUST_PROXY: plain(
      "Proxies whose `X-Forwarded-For` is trusted: the number of proxies in front of the API, such as `1`, or their IP addresses and ranges separated by commas. If API keys are restricted to IP addresses, `doctor` and the API's log warn about a missing value behind a proxy and about ranges that may contain clients.",
    ),
    HEALTH_PORT: plain("Port of the worker's health endpoint."),
    METRICS_PORT: plain(
      'Port of the [metrics](monitoring.md#metrics) of the API and of the worker, which have no authentication. Compose sets it to 9464, inside its network.',
    ),
    METRICS_PROJECT_LABEL: plain('`true` adds the project ID to the counters of events.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: or(
      'URL of an OpenTelemetry collector that receives [traces](monitoring.md#traces) as `http/json`, such as `http://collector.example.com:4318`.',
      'none; no traces are recorded',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: plain(
      'Headers for the collector as `name=value`, separated by commas. Values are percent-encoded.',
    ),
    HTTPS_PROXY: plain(
      'URL of the proxy for outgoing connections to `https` URLs, such as `http://proxy.example.com:3128`.',
    ),
    HTTP_PROXY: plain('URL of the proxy for outgoing connections to `http` URLs.'),
    NO_PROXY: plain('Hosts that are reached without a proxy, separated by commas. `*` is all hosts.'),
    NODE_EXTRA_CA_CERTS: plain(
      'File with the certificates of a private certificate authority, for a Git host, a database or an identity provider that uses one. Node.js reads it. With Compose, mount the file into the containers: see [Private certificate authorities](running.md#private-certificate-authorities).',
    ),
  },
  Retention: {
    RETAIN_TRANSCRIPTS_DAYS: or(
      'Days after which transcripts of ended runs are removed.',
      'none; transcripts are kept',
    ),
    RETAIN_JOBS_DAYS: or('Days after which ended jobs are removed with all their data.', 'none; jobs are kept'),
    RETAIN_AUDIT_DAYS: or(
      'Days after which events of the [audit log](audit-log.md) are removed.',
      'none; events are kept',
    ),
  },
  'Repositories and outgoing requests': {
    GITHUB_TOKEN_HOST: or(
      'The only Git host that receives `GITHUB_TOKEN` or the tokens of the App in `GITHUB_APP_ID`, as `host` or `host:port`.',
      'with several hosts in `ALLOWED_REPOSITORY_HOSTS`: the host of `GITHUB_API_URL`, or `github.com`',
    ),
    GITHUB_APP_ID: plain(
      'Id of a GitHub App to use instead of the token. You can also create an App on the operations page.',
    ),
    GITHUB_APP_PRIVATE_KEY: plain(
      'Private key of the App in `GITHUB_APP_ID`, on one line with `\\n` for line breaks, or as a base64-encoded PEM file.',
    ),
    GITHUB_API_URL: plain(
      'API URL of a GitHub Enterprise Server: `https://github.example.com/api/v3`. If several hosts are allowed, it must be on one of them, and is used for that host only.',
    ),
    GITHUB_WEBHOOK_SECRET: plain(
      'Secret for webhooks that the Git host sends to `/v1/github/webhook`, in addition to the secret of the App. At least 16 characters. If neither secret is set, Corrigenda polls pull requests but does not accept webhooks from the Git host.',
    ),
    GIT_WEBHOOK_SECRET: plain(
      'Secret for webhooks that GitLab, Forgejo or Gitea send to `/v1/git/webhook`. At least 16 characters. If it is not set, Corrigenda polls the pull requests on these hosts.',
    ),
    GIT_HOSTS: plain(
      'Git hosts other than GitHub, as `host=kind` values separated by commas: `gitlab.example.com=gitlab,codeberg.org=forgejo`. The kinds are `github`, `gitlab`, `forgejo` and `gitea`. For an installation below the root of its host, add the path: `example.com/gitlab=gitlab`. These hosts are allowed in addition to those in `ALLOWED_REPOSITORY_HOSTS`.',
    ),
    GIT_HOST_TOKENS: plain(
      'Access tokens for hosts in `GIT_HOSTS`, as `host=token` values separated by commas. A token is sent to its host only. A project can have its own token instead.',
    ),
    ALLOWED_REPOSITORY_HOSTS: plain(
      'GitHub hosts whose repositories projects can use, as `host` or `host:port`, separated by commas. Workers send no credential to other hosts, including for existing jobs. Plain http is allowed only for loopback addresses.',
    ),
    ALLOWED_HOOK_HOSTS: plain(
      'Private hosts to which Corrigenda can send deploy hooks and webhooks, over https or plain http, separated by commas. An entry is `host` or `host:port`, optionally followed by a path that URLs must be below, and preceded by a project ID to allow it for one project only: `prj_01…=jenkins.internal:8080/job/docs`. The port `*` is any port. In embedded mode with the local Git host, loopback addresses are allowed with any port.',
    ),
    CORS_ORIGINS: plain(
      'Origins of web pages, such as `https://app.example.com`, that may read jobs with [job tokens](events.md#show-progress-on-a-web-page), separated by commas.',
    ),
    CACHE_DIR: or(
      'Folder for repository copies, at most 10 GiB.',
      "`corrigenda-cache` in the system's temporary folder",
    ),
    MAX_REPOSITORY_MB: plain(
      "Maximum size of a repository's newest commit as the Git host sends it, in MiB. It applies to the documentation repository and to each source.",
    ),
    MAX_REPOSITORY_FILES: plain(
      'Maximum number of files and directories in a repository. A larger repository needs more memory.',
    ),
  },
  Model: {
    MODEL: plain('Model for jobs that do not specify one.'),
    ALLOWED_MODELS: or(
      'Models that jobs and projects may choose, separated by commas, in addition to `MODEL`. Other models are rejected with 400.',
      'every model',
    ),
    MODEL_ALIASES: plain('[Aliases](providers.md#aliases) of models, as `alias=id` separated by commas.'),
    MODELS: plain(
      '[Prices and limits](providers.md#prices-and-limits) by model ID, as JSON. For a model without a price, `costUsd` is null.',
    ),
    MODEL_PROVIDER: plain('Model provider.'),
    ANTHROPIC_BASE_URL: plain('URL of the Messages API.'),
    ANTHROPIC_AUTH_TOKEN: plain(
      'Bearer token instead of the API key. If both are set, the key is sent in `x-api-key`.',
    ),
    ANTHROPIC_VERSION: or('Value of the `anthropic-version` header.', 'the version that the SDK sends'),
    ANTHROPIC_CUSTOM_HEADERS: plain(
      'Additional headers for a gateway, as `Name: value` lines. `\\n` also separates lines.',
    ),
    MODEL_AUTH: plain('How the API key is sent.'),
    MODEL_THINKING: plain('`omit` sends no thinking setting; `adaptive` requests adaptive thinking.'),
    MODEL_EFFORT: or('Effort that the model is asked for.', 'not sent'),
    MODEL_STRICT: plain('`off` omits `strict` on tools.'),
    MODEL_CACHING: plain('`off` omits cache markers.'),
    MODEL_PARALLEL_CALLS: plain('Maximum number of tool calls executed per response.'),
    MODEL_MAX_OUTPUT_TOKENS: plain('Maximum length of a response in tokens.'),
    MODEL_CONTEXT_TOKENS: or('Context window of models without an entry in `MODELS`, in tokens.', '200,000'),
    MODEL_SOFT_CONTEXT_TOKENS: plain('Number of input tokens at which the model is asked to finish.'),
    MODEL_HARD_CONTEXT_TOKENS: plain('Number of input tokens at which a new conversation starts.'),
    MODEL_TRUNCATION_CHECK: plain('`on` fails a job if the server truncates its prompt without reporting it.'),
    MODEL_FALLBACK: plain('Model that continues in a new conversation if the first model refuses.'),
    MODEL_IDLE_SECONDS: plain('Maximum time without data during a response, in seconds.'),
    MODEL_TURN_SECONDS: plain('Maximum duration of a response in seconds.'),
    MODEL_RETRIES: plain('Maximum number of retries of a model call.'),
  },
  'Amazon Bedrock and Google Vertex AI': {
    AWS_REGION: plain('Region of Amazon Bedrock.'),
    AWS_BEARER_TOKEN_BEDROCK: or('Amazon Bedrock API key.', "the machine's AWS credentials"),
    AWS_ACCESS_KEY_ID: plain('Id of the AWS signing keys for Amazon Bedrock.'),
    AWS_SECRET_ACCESS_KEY: plain('Secret of the AWS signing keys.'),
    AWS_SESSION_TOKEN: plain('Session token of temporary AWS signing keys.'),
    ANTHROPIC_BEDROCK_BASE_URL: or('URL of a private Amazon Bedrock endpoint.', 'the endpoint of the region'),
    CLOUD_ML_REGION: plain('Region of Google Vertex AI, or `global`.'),
    ANTHROPIC_VERTEX_PROJECT_ID: plain('Google Cloud project of Vertex AI.'),
    ANTHROPIC_VERTEX_BASE_URL: or('URL of a private Vertex AI endpoint.', 'the endpoint of the region'),
    GOOGLE_APPLICATION_CREDENTIALS: or('Credentials file for Google Vertex AI.', "the machine's Google credentials"),
  },
  Budgets: {
    MAX_TURNS: plain('Number of model responses.'),
    MAX_INPUT_TOKENS: plain('Total number of tokens that the model reads.'),
    MAX_OUTPUT_TOKENS: plain('Total number of tokens that the model writes.'),
    MAX_COST_USD: plain('Cost in US dollars.'),
    MAX_JOB_SECONDS: plain('Working time in seconds.'),
    MONTHLY_BUDGET_USD: or(
      'Cost in US dollars of all projects per calendar month in UTC. Set the same value for the API and the worker. A worker logs a warning once per month at 80%. The operations page shows the spend. See [Monthly budget](settings.md#monthly-budget).',
      'no limit',
    ),
  },
  'Limits for callers': {
    JOB_RATE_LIMIT: plain('Jobs that a project can create in a sliding window.'),
    JOB_RATE_WINDOW_SECONDS: plain('Length of that window in seconds. Set the same value for the API and the worker.'),
    MESSAGE_RATE_LIMIT: plain(
      'Follow-ups per project in the same window. Set the same value for the API and the worker, which starts follow-ups from review comments.',
    ),
    EDGE_RATE_LIMIT: plain('Requests per minute per IP address.'),
    CALLER_RATE_LIMIT: or(
      'Requests per minute and API process of one API key or user, from all addresses.',
      'half of `EDGE_RATE_LIMIT`',
    ),
    SESSION_MAX_DAYS: plain('Days after which a session ends even if it is in use.'),
    FAILED_AUTH_RATE_LIMIT: plain('Failed authentications per minute per IP address.'),
    SSE_MAX_STREAMS: plain('Concurrent event streams per API process. One project can use half of them.'),
  },
  'Sign-in': {
    PASSWORD_SIGN_IN: plain(
      '`false` [turns passwords off](keys-and-members.md#turn-passwords-off). Requires GitHub or OpenID Connect.',
    ),
    GITHUB_OAUTH_CLIENT_ID: plain('Client id of a GitHub OAuth App for sign-in.'),
    GITHUB_OAUTH_CLIENT_SECRET: plain('Client secret of the GitHub OAuth App.'),
    OIDC_ISSUER: plain('URL of an OpenID Connect provider for sign-in.'),
    OIDC_CLIENT_ID: plain('Client id at the provider.'),
    OIDC_CLIENT_SECRET: plain('Client secret at the provider.'),
    OIDC_NAME: plain('Label of the sign-in button.'),
    OIDC_SCOPES: or('Scopes to request, separated by spaces.', '`openid email profile`'),
    OIDC_GROUPS_CLAIM: plain('Claim with the groups of the user, or a path to it.'),
    OIDC_ADMIN_GROUPS: plain(
      'Groups whose members are admins, separated by commas, or a JSON array. See [Grant access to groups](keys-and-members.md#grant-access-to-groups).',
    ),
    OIDC_GROUP_ROLES: plain(
      'Roles that groups give in projects, as `group=project:role` separated by commas, or a JSON array.',
    ),
    SIGN_IN_ALLOWED_EMAILS: plain(
      'Email addresses, or domains such as `@example.com`, whose owners can create an account without an invitation.',
    ),
  },
  Processes: {
    WORKER_CONCURRENCY: plain('Maximum number of jobs that one worker runs concurrently.'),
    PROJECT_CONCURRENCY: plain('Maximum number of running jobs per project, across all workers.'),
    DATABASE_CONNECTIONS: plain('Database connections of an API process.'),
    LEASE_SECONDS: plain(
      'Seconds after which another worker takes over the jobs of a worker that has died or stopped responding.',
    ),
    SWEEP_SECONDS: plain("Seconds between a worker's polls for due jobs and other open work."),
    MAX_ATTEMPTS: plain('Maximum number of attempts per run.'),
    LOG_LEVEL: plain('Lowest level of messages in the log.'),
    LOG_FORMAT: plain('`json`, or `pretty` for lines that people read in a terminal.'),
  },
  Compose: {
    WORKERS: plain('Number of workers that `docker compose up` starts. The option `--scale worker=N` has priority.'),
    CORRIGENDA_IMAGE: plain('Name of the image that Compose builds and runs.'),
    NODE_IMAGE: plain('Base image. It must contain npm. Containers run as user ID 1000.'),
    POSTGRES_IMAGE: plain('Image of PostgreSQL.'),
    REDIS_IMAGE: plain('Image of Redis or Valkey.'),
    WITH_LINTERS: plain(
      '`1` installs the prose linter Vale and the spell checker cspell in the image. See [linters](checks.md#linters-of-the-repository).',
    ),
    API_MEMORY: plain('Memory limit of the API.'),
    WORKER_MEMORY: plain('Memory limit of each worker.'),
  },
}
