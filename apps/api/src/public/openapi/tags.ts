/** Groups of operations, in the order of the reference page. */
export const TAGS = [
  { name: 'Jobs', description: 'Post a prompt, follow the job, read its pull request.' },
  { name: 'Deployments', description: 'Publish the documentation and see whether it worked.' },
  { name: 'Webhooks', description: 'Be told about jobs and deployments instead of asking.' },
  { name: 'Service', description: 'The key itself, and whether the service is well.' },
] as const

export type TagName = (typeof TAGS)[number]['name']
