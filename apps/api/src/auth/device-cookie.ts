import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { toCookiePrefix } from './session-cookies.ts'

const SECONDS = 400 * 86_400

/**
 * Sets a cookie that marks this browser as having signed in to the account. Sign-in attempts from
 * marked browsers are counted separately, so password guessing by others cannot lock the owner out.
 * The cookie grants no access.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function rememberDevice({ authKey, publicUrl }: ApiDeps, reply: FastifyReply, email: string): void {
  const id = randomBytes(16).toString('base64url')
  const value = `${id}.${sign(authKey, id, email).toString('base64url')}`
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const flags = `Max-Age=${SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`
  reply.header('set-cookie', `${toDeviceCookie(publicUrl)}=${value}; ${flags}`)
}

/** Returns the browser's device id, or null if it has no valid device cookie for this account. */
export function findDevice(
  { authKey, otherAuthKey, publicUrl }: ApiDeps,
  { headers }: Pick<FastifyRequest, 'headers'>,
  email: string,
): string | null {
  const name = `${toDeviceCookie(publicUrl)}=`
  for (const part of (headers.cookie ?? '').split(';')) {
    const pair = part.trim()
    if (!pair.startsWith(name)) continue
    const [id = '', signature = ''] = pair.slice(name.length).split('.')
    const given = Buffer.from(signature, 'base64url')
    for (const key of otherAuthKey === null ? [authKey] : [authKey, otherAuthKey]) {
      const expected = sign(key, id, email)
      if (given.length === expected.length && timingSafeEqual(given, expected)) return id
    }
  }
  return null
}

const toDeviceCookie = (publicUrl: string): string => `${toCookiePrefix(publicUrl)}_device`

const sign = (key: Buffer, id: string, email: string): Buffer =>
  createHmac('sha256', key).update(`device:${id}:${email}`).digest()
