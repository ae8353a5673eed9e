import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/basics/public-address.ts';

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback, last', '127.255.255.255'],
  ['this network', '0.0.0.0'],
  ['RFC 1918, 10/8', '10.1.2.3'],
  ['RFC 1918, 172.16/12, first', '172.16.0.0'],
  ['RFC 1918, 172.16/12, last', '172.31.255.255'],
  ['RFC 1918, 192.168/16', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['cloud metadata', '169.254.169.254'],
  ['another cloud’s metadata', '100.100.100.200'],
  ['benchmarking', '198.18.0.1'],
  ['documentation', '203.0.113.9'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '::1'],
  ['IPv6 unspecified', '::'],
  ['IPv6 unique local', 'fd00:ec2::254'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['Teredo', '2001:0:1234::1'],
  ['6to4', '2002:7f00:1::1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of cloud metadata', '64:ff9b::169.254.169.254'],
  ['NAT64 of nothing', '64:ff9b::'],
  ['NAT64 for local use', '64:ff9b:1::808:808'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped, in hexadecimal', '::ffff:a9fe:a9fe'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['not an address', 'example.com'],
])('refuses %s: %s', (_name, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '1.1.1.1',
  '2001:4860:4860::8888',
  '2a00:1450::1',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
  '0064:ff9b:0:0:0:0:0808:0808',
  '64:ff9b::808:0',
])('takes the public address %s', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
