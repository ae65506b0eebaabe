/** Returns the salt and scrypt hash of a password, in the format that sign-in verifies. */
export async function hashPassword(password: string): Promise<string> {
  const crypto = await import('better-auth/crypto')
  return crypto.hashPassword(password)
}
