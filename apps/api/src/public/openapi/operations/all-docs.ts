import type { OperationDocs } from '../operation-doc.ts'
import { deploymentDocs } from './deployments.ts'
import { jobDocs } from './jobs.ts'
import { serviceDocs } from './service.ts'
import { webhookDocs } from './webhooks.ts'

export const ALL_DOCS: OperationDocs = { ...jobDocs, ...deploymentDocs, ...webhookDocs, ...serviceDocs }
