import { createHash, createPrivateKey, sign } from 'node:crypto'

/** An Ed25519 key. */
interface SshKey {
  /** PKCS #8, in PEM format. */
  readonly privateKey: string
  /** `ssh-ed25519 AAAA…`, optionally with a comment. */
  readonly publicKey: string
}

const MAGIC = Buffer.from('SSHSIG')
const NAMESPACE = 'git'
const HASH = 'sha512'
const VERSION = 1
const LINE = 70

/**
 * Returns the SSH signature of a Git object, in armored form
 * (https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig). The same key and
 * object always give the same signature.
 */
export function signWithSsh(object: Uint8Array, { privateKey, publicKey }: SshKey): string {
  const digest = createHash(HASH).update(object).digest()
  const signed = Buffer.concat([MAGIC, ...[NAMESPACE, '', HASH, digest].map(encodeString)])
  const signature = Buffer.concat(['ssh-ed25519', sign(null, signed, createPrivateKey(privateKey))].map(encodeString))
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
  const version = Buffer.alloc(4)
  version.writeUInt32BE(VERSION)
  const whole = Buffer.concat([MAGIC, version, ...[blob, NAMESPACE, '', HASH, signature].map(encodeString)])
  const lines = whole.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n')
}

/** Encodes a `string` of RFC 4251: its length in four bytes, then its bytes. */
function encodeString(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
