import { Webhook } from 'standardwebhooks'
import { VERSION } from '../config/version.ts'

/**
 * Headers of a delivery as Standard Webhooks defines them. `webhook-id` is the event's, the same in every attempt, so that receivers can tell a
 * repetition; `webhook-signature` has one signature per secret, separated by a space, so that a secret can be changed without a gap.
 * @param input.secrets the newest first
 * @param input.at when this attempt is sent
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
