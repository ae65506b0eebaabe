/** A private service in TypeScript, with SQL and Kubernetes files. */
export const BILLING: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "@larkspur/billing-core",
  "private": true,
  "version": "4.2.0",
  "dependencies": { "@larkspur/ledger": "2.1.0", "zod": "3.23.0" }
}
`,
  '.npmrc': '@larkspur-infra:registry=https://npm.corp.larkspur.io/\n',
  'src/refunds/settle-refund.ts': `import { openLedger } from '@larkspur/ledger'
import type { Refund, Settlement } from './refund-types'

const MAX_SETTLEMENT_DAYS = 21

/**
 * Settles a refund against the ledger. Partial refunds are spread over the open invoices, oldest
 * first, because the auditors compare the balance of each invoice and not of the account.
 */
export async function settleRefund(refund: Refund, now: Date): Promise<Settlement> {
  const ledger = await openLedger(refund.accountId, { consistent: true })
  const invoices = await ledger.listOpenInvoices({ before: refund.requestedAt })
  let remaining = refund.amountInCents
  const postings = []
  for (const invoice of invoices.sort((a, b) => a.issuedAt - b.issuedAt)) {
    const share = Math.min(remaining, invoice.balanceInCents)
    if (share <= 0) break
    postings.push({ invoiceId: invoice.id, amountInCents: -share, reason: refund.reason })
    remaining -= share
  }
  if (remaining > 0 && daysBetween(refund.requestedAt, now) > MAX_SETTLEMENT_DAYS) {
    throw new SettlementError('refund_exceeds_balance', { remaining, account: refund.accountId })
  }
  await ledger.post(postings, { idempotencyKey: \`refund:\${refund.id}:\${postings.length}\` })
  return { refundId: refund.id, settledInCents: refund.amountInCents - remaining, postings }
}
`,
  'src/refunds/fraud-score.ts': `// The weights come from the chargebacks of 2024. Do not publish them: a customer who has the
// weights can stay below the threshold with many small refunds, as the incident in March showed.
export const WEIGHTS = { velocity: 0.42, age: 0.17, country: 0.08, device: 0.33 }

export function scoreRefund(history: RefundHistory): number {
  const velocity = Math.log1p(history.refundsInLastWeek) / Math.log(12)
  const age = 1 / (1 + history.accountAgeInDays / 90)
  const country = history.countries.size > 2 ? 1 : 0
  const device = history.newDevice ? 0.8 : history.sharedDevice ? 0.55 : 0
  const raw = WEIGHTS.velocity * velocity + WEIGHTS.age * age + WEIGHTS.country * country + WEIGHTS.device * device
  return Math.round(Math.min(1, raw) * 1000) / 1000
}

export const explainScore = (score: number) => (score > 0.73 ? 'manual review' : score > 0.4 ? 'delayed by 24 hours' : 'settled at once')
`,
  'src/config/options.ts': `export interface RefundOptions {
  /** Days after the payment in which a refund is possible. */
  windowDays: number
  /** Settles a refund without a second person up to this amount. */
  autoApproveBelow: number
  /** Sends an email to the customer when a refund is settled. */
  notifyCustomer: boolean
  /** Number of attempts to reach the payment provider. */
  maxAttempts: number
  /** Seconds between two attempts to reach the provider. */
  retryDelay: number
  /** Currency of the amounts in reports. */
  reportCurrency: 'EUR' | 'USD' | 'GBP'
  /** Rejects refunds of payments that are disputed. */
  rejectDisputed: boolean
}

export const ERROR_CODES = {
  refund_exceeds_balance: 409, // The refund is larger than the open balance.
  refund_window_closed: 410, // The window for refunds of this payment is closed.
  payment_disputed: 423, // The payment is disputed with the bank.
  provider_unavailable: 503, // The payment provider did not answer.
  unknown_payment: 404, // There is no payment with this id.
  currency_mismatch: 422, // The currency of the refund is not that of the payment.
  amount_negative: 400, // The amount is not positive.
}
`,
  'src/config/env.ts': `export const LEDGER_URL = process.env.LEDGER_URL ?? 'https://ledger.billing.svc.cluster.internal:8443'
export const METRICS_URL = 'http://metrics-gw-02:9091/push'
export const STATUS_PAGE = 'https://status.larkspur.io'
export const API_URL = 'https://api.larkspur.io/v3'
export const REPLICA = { host: '10.42.7.19', user: 'billing_ro', password: 'tR9v-kelp-41-Quartz' }
`,
  'db/migrations/0042_settlements.sql': `-- Settlements are never updated. A correction is a new row that points to the old one.
CREATE TABLE settlements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  refund_id uuid NOT NULL REFERENCES refunds (id) ON DELETE RESTRICT,
  invoice_id uuid NOT NULL REFERENCES invoices (id) ON DELETE RESTRICT,
  amount_in_cents bigint NOT NULL CHECK (amount_in_cents < 0),
  corrects_id uuid REFERENCES settlements (id),
  posted_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (refund_id, invoice_id, posted_at)
);

WITH ranked AS (
  SELECT s.id, s.refund_id, row_number() OVER (PARTITION BY s.refund_id ORDER BY s.posted_at DESC) AS rank
  FROM settlements s
  JOIN invoices i ON i.id = s.invoice_id AND i.state <> 'void'
  WHERE s.posted_at > now() - interval '90 days'
)
UPDATE refunds r
SET latest_settlement_id = ranked.id, settled_at = now()
FROM ranked
WHERE ranked.refund_id = r.id AND ranked.rank = 1 AND r.latest_settlement_id IS DISTINCT FROM ranked.id;
`,
  'deploy/production.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: billing-settler
  namespace: payments-restricted
spec:
  replicas: 7
  template:
    spec:
      serviceAccountName: billing-settler-prod
      nodeSelector: { pool: pci-isolated }
      containers:
        - name: settler
          image: registry.corp.larkspur.io/payments/settler:4.2.0
          args: ["--shards=14", "--ledger-timeout=2500ms", "--skip-replica-check"]
          resources: { limits: { memory: 1536Mi, cpu: "2" } }
          env:
            - { name: LEDGER_URL, value: "https://ledger.billing.svc.cluster.internal:8443" }
            - { name: FRAUD_THRESHOLD, value: "0.73" }
`,
  'docs/design/settlement.md': `# Settlement

The first version settled refunds account by account. Auditors rejected it twice, because the
balance of an invoice could become negative for a few hours while the nightly job was running.
We now post every share of a refund to one invoice and never touch the balance of the account.
The price is a longer list of postings: a refund of a customer with monthly invoices has up to
thirty-six of them. Finance accepted this after we showed that the export stays below two minutes.
The alternative, a lock per account, was measured in June and doubled the time of the checkout.
A settlement that fails halfway is repeated with the same key, so that the ledger ignores the
postings that it already has. The key contains the number of postings for exactly this reason.
`,
}
