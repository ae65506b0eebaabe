import { Webhook } from 'standardwebhooks'
import { VERSION } from '../config/version.ts'

/**
 * Returns a delivery's headers as defined by Standard Webhooks. `webhook-id` is the event id. It is
 * the same in every attempt, so that receivers can detect duplicates. `webhook-signature` contains
 * one signature per secret, separated by spaces, so that a secret can be rotated without
 * interruption.
 * @param input.secrets newest first
 * @param input.at time of this attempt
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
