import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { signWithSsh } from './sign-with-ssh.ts'

it('signs the hash of the object in the namespace of git, and always gives the same signature', () => {
  const pair = generateKeyPairSync('ed25519')
  const raw = Buffer.from(createPublicKey(pair.privateKey).export({ format: 'jwk' }).x ?? '', 'base64url')
  const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 '), raw])
  const key = {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: `ssh-ed25519 ${blob.toString('base64')}`,
  }
  const armored = signWithSsh(Buffer.from('tree'), key)
  expect(signWithSsh(Buffer.from('tree'), key)).toBe(armored)
  expect(signWithSsh(Buffer.from('tree2'), key)).not.toBe(armored)
  const lines = armored.split('\n')
  expect([lines[0], lines.at(-1)]).toEqual(['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'])
  const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64')
  const signature = bytes.subarray(-64)
  const digest = createHash('sha512').update('tree').digest()
  const signed = Buffer.concat([Buffer.from('SSHSIG\0\0\0\x03git\0\0\0\0\0\0\0\x06sha512\0\0\0@'), digest])
  expect(verify(null, signed, pair.publicKey, signature)).toBe(true)
})
