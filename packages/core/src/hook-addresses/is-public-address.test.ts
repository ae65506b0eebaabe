import { expect, test } from 'vitest'
import { isPublicAddress } from './is-public-address.ts'

const PRIVATE = [
  // Loopback, unspecified, private, link-local (cloud metadata), carrier-grade NAT, multicast,
  // reserved, documentation, benchmarking.
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '169.254.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  // Azure's platform service and Alibaba's metadata service.
  '168.63.129.16',
  '100.100.100.200',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '100::1',
  // IPv4 inside IPv6: mapped, compatible, translated, both NAT64 prefixes, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  // Not addresses, or notations that only some programs accept as addresses.
  '',
  'localhost',
  'example.com',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '[::1]',
  '1.2.3.4.5',
]

test.each(PRIVATE)('treats %s as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
  'treats %s as public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
