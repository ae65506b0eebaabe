/** Salt and scrypt hash of a password, as sign-in verifies it. */
export async function hashPassword(password: string): Promise<string> {
  const crypto = await import('better-auth/crypto')
  return crypto.hashPassword(password)
}
