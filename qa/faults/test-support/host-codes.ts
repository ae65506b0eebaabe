import type { FailureCode } from '@corrigenda/contracts'
import { type CodeTexts, HOST_REASON } from './code-texts.ts'

/** Explanations of the failure codes for the Git host and its credentials. */
export const HOST_CODES = {
  git_host_archived: {
    area: 'host',
    meaning: 'The repository is archived and read-only.',
    remedy: 'Unarchive it, or set a different repository in the project.',
  },
  git_host_forbidden: {
    area: 'host',
    meaning: 'The credential cannot read the repository, push to it or open pull requests.',
    remedy: 'Grant it write access to contents and pull requests.',
    details: HOST_REASON,
  },
  git_host_network: {
    area: 'host',
    meaning: 'The host was unreachable or dropped connections for more than a minute.',
    remedy: 'Check the network, the host name and the certificate, then retry.',
  },
  git_host_not_found: {
    area: 'host',
    meaning: 'The repository does not exist, or it is hidden from the credential.',
    remedy: "Correct the project's repository URL or the credential's access.",
  },
  git_host_protocol: {
    area: 'host',
    meaning: 'A proxy, a login page or a maintenance page responded instead of the Git host.',
    remedy: 'Check the servers between Corrigenda and the host, then retry.',
  },
  git_host_rate_limited: {
    area: 'host',
    meaning: 'The host rate limited Corrigenda more than 24 times.',
    remedy: 'Lower the load or raise the rate limit, then retry.',
  },
  git_host_redirected: {
    area: 'host',
    meaning: 'The repository has moved, or the host redirects too often or to another origin.',
    remedy: "Correct the project's repository URL, or `GITHUB_API_URL`.",
    details: 'The token is sent to only one origin, and a write is not repeated after 301, 302 or 303.',
  },
  git_host_server_error: {
    area: 'host',
    meaning: 'The host returned 5xx for more than a minute.',
    remedy: 'Retry when the host is available again.',
  },
  git_host_timeout: {
    area: 'host',
    meaning: 'Several requests to the host timed out.',
    remedy: 'Retry when the host responds faster.',
  },
  git_host_too_large: {
    area: 'host',
    meaning: 'The host rejected the request as too large, or its response was too large.',
    remedy: 'Make the repository or the change smaller.',
  },
  git_host_unauthorized: {
    area: 'host',
    meaning: 'The host rejected the credential.',
    remedy: 'Replace the token. For a GitHub App, check the clock.',
  },
  git_host_validation: {
    area: 'host',
    meaning: 'The host rejected a request as invalid.',
    remedy: 'Fix the cause, then retry.',
    details: HOST_REASON,
  },

  credential_missing: {
    area: 'app',
    meaning: 'No credential is configured for the Git host, or the stored one cannot be decrypted.',
    remedy: 'Save a token in the project settings, or create a GitHub App.',
  },
  github_app_refused: {
    area: 'app',
    meaning: 'The App does not exist on the host, or its key is wrong.',
    remedy: 'Check `GITHUB_APP_ID`, `GITHUB_APP_PRIVATE_KEY` and the clock.',
  },
  github_bad_app_key: {
    area: 'app',
    meaning: "The App's private key is unreadable.",
    remedy: 'Use the .pem file from GitHub.',
  },
  github_installation_missing: {
    area: 'app',
    meaning: 'The App is not installed on the repository.',
    remedy: 'Install the App on the repository.',
  },
  github_permission_missing: {
    area: 'app',
    meaning: 'The installation is suspended or lacks a permission.',
    remedy: 'Unsuspend it and accept the requested permissions.',
  },
  github_token_too_broad: {
    area: 'app',
    meaning: 'The host issued a token for more than one repository. Corrigenda did not use it.',
    remedy: 'Use a host that can limit tokens, or a personal token.',
  },
} satisfies Partial<Record<FailureCode, CodeTexts>>
