/** Operation groups, in the order shown on the reference page. */
export const TAGS = [
  { name: 'Jobs', description: 'Create a job, follow its progress and read its pull request.' },
  {
    name: 'Jobs, version 1',
    description: 'Deprecated. The job endpoints of version 1 of the hosted API, for clients that still use them.',
  },
  { name: 'Deployments', description: 'Publish the documentation and read the result.' },
  { name: 'Webhooks', description: 'Receive events about jobs and deployments instead of polling.' },
  { name: 'Service', description: 'Read the properties of the API key and the health of the service.' },
] as const
