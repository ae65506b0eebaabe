import type { Access } from '../credentials.ts'

/** The permissions that each access level needs, for messages. */
export const ACCESS_NEEDS: Readonly<Record<Access, string>> = {
  read: 'contents (read)',
  read_pulls: 'contents and pull requests (read)',
  publish: 'contents and pull requests (write)',
  watch: 'pull requests, checks and commit statuses (read)',
  deploy: 'actions and contents (write)',
}
