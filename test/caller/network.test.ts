import { expect, test } from 'vitest';
import { toNetwork } from '../../examples/caller/src/unfinished-sign-ins.ts';
import { findNetwork } from '../../src/api/http/exchange.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::a', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::a]:4711', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:999.0.113.7', undefined],
  ['203.0.113', undefined],
  ['2001:db8::1::2', undefined],
  ['unknown', undefined],
  ['', undefined],
])('the network of "%s" is %s, as in the service', (address, network) => {
  expect(toNetwork(address)).toBe(network);
  expect(findNetwork(address)).toBe(network);
});
