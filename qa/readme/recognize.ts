/** A kind of README command that the campaign can run. */
export type Kind =
  | 'clone'
  | 'quickstart'
  | 'quickstart-own-repository'
  | 'set-variables'
  | 'create-job'
  | 'read-job'
  | 'build-image'
  | 'write-settings'
  | 'compose-up'
  | 'compose-project'
  | 'compose-key'
  | 'test'
  | 'build-site'

const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['clone', /^git clone https:\/\/\S+\/corrigenda && cd corrigenda$/],
  ['quickstart', /^npx -y pnpm@12 quickstart$/],
  [
    'quickstart-own-repository',
    /^GITHUB_TOKEN=\S+ ANTHROPIC_API_KEY=\S+ npx -y pnpm@12 quickstart --prompt "[^"]+" --repository https:\/\/github\.com\/OWNER\/NAME --source https:\/\/github\.com\/OWNER\/CODE$/,
  ],
  ['set-variables', /^export CORRIGENDA_URL=\S+ CORRIGENDA_PROJECT=\S+ CORRIGENDA_API_KEY=\S+$/],
  ['create-job', /^curl -sS "\$CORRIGENDA_URL\/v2\/agent\/\$CORRIGENDA_PROJECT\/job" -H .* -d '.*'$/],
  ['read-job', /^curl -sS "\$CORRIGENDA_URL\/v2\/agent\/\$CORRIGENDA_PROJECT\/job\/\$JOB" -H "[^"]+"$/],
  ['build-image', /^docker build -t corrigenda:local \.$/],
  [
    'write-settings',
    /^docker run --rm --user "\$\(id -u\):\$\(id -g\)" -v "\$PWD:\/setup" -w \/setup corrigenda:local init$/,
  ],
  ['compose-up', /^docker compose up -d --wait( --scale worker=\d+)?$/],
  ['compose-project', /^docker compose run --rm api project create --name \w+ --repository \S+$/],
  ['compose-key', /^docker compose run --rm api key create --project prj_… --name [\w-]+$/],
  ['test', /^npx -y pnpm@12 test$/],
  ['build-site', /^npx -y pnpm@12 docs:build$/],
]

/** Returns the kind of a command, or null if the campaign does not support it. */
export function recognize(command: string): Kind | null {
  return PATTERNS.find(([, pattern]) => pattern.test(command))?.[0] ?? null
}
