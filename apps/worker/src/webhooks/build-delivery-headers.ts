import { Webhook } from 'standardwebhooks'
import { VERSION } from '../config/version.ts'

/**
 * Returns the headers of a delivery as defined by Standard Webhooks. `webhook-id` is the id of the
 * event and the same in every attempt, so that receivers can detect a repetition.
 * `webhook-signature` contains one signature per secret, separated by spaces, so that a secret can
 * be rotated without a gap.
 * @param input.secrets the newest first
 * @param input.at time at which this attempt is sent
 */
export function buildDeliveryHeaders(input: {
  eventId: string
  payload: string
  secrets: readonly string[]
  at: Date
}): Record<string, string> {
  const { eventId, payload, secrets, at } = input
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Corrigenda/${VERSION}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, payload)).join(' '),
  }
}
