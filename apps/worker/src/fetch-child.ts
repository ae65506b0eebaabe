import type { Proxies } from '@corrigenda/egress'
import { serveFetch } from '@corrigenda/git/mirror'
import { toGitAgents } from './config/git-agents.ts'

// The process that downloads a large repository. It connects through the proxies of the worker.
serveFetch((proxies) => toGitAgents(proxies as Proxies | null))
