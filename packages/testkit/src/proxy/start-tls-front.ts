import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'

/** A self-signed certificate for `*.corrigenda.test`, for tests only. It is its own authority. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg10Webikgl1ux6qVS
o7vVPE3Ro9Oy1/VInkqBYHSeliOhRANCAASf7F4lKzHqvK//FAAFfPVxWJFPkrzB
SHwrWNl6i9MDsAlYH0ybZh29+zNUuH6Lv+WApzjaI6+tzW3+hLWwGbAC
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBvDCCAWKgAwIBAgIUfjfZ63APrFnvjU+WlZ/ZRCAmlLMwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPY29ycmlnZW5kYS50ZXN0MCAXDTI2MTEyNjEwMzkzOVoYDzIx
MjYxMTAyMTAzOTM5WjAaMRgwFgYDVQQDDA9jb3JyaWdlbmRhLnRlc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASf7F4lKzHqvK//FAAFfPVxWJFPkrzBSHwrWNl6
i9MDsAlYH0ybZh29+zNUuH6Lv+WApzjaI6+tzW3+hLWwGbACo4GDMIGAMB0GA1Ud
DgQWBBTangLxw94WQV4k2mK5bY2ER1TW7jAfBgNVHSMEGDAWgBTangLxw94WQV4k
2mK5bY2ER1TW7jAPBgNVHRMBAf8EBTADAQH/MC0GA1UdEQQmMCSCESouY29ycmln
ZW5kYS50ZXN0gg9jb3JyaWdlbmRhLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIgHdLg
aGBxfTsQjpoqFzO9lPpDVkazJpBwMr3hel6ASo4CIQD5hS550imJ+i7eCvWnyEKF
AiYwZjuoUVBHAtx9Q+dPqQ==
-----END CERTIFICATE-----`,
}

/**
 * Starts a TLS server on loopback that forwards the decrypted connections to another port. It serves
 * the names below `corrigenda.test`, which no name server resolves.
 */
export async function startTlsFront(target: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = tls.createServer(TEST_CERTIFICATE, (client) => {
    const upstream = net.connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
