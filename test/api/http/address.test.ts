import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { findNetwork, type HttpEnv } from '../../../src/api/http/exchange.ts';
import { useService } from '../../kit/graphql-service.ts';

describe('an address counts', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:DB8:0001:0002::9]:443', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3::4:5:6:7', '1:2:3:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s as %s', (text, network) => {
    expect(findNetwork(text)).toBe(network);
  });

  test.each(['', 'unknown', '203.0.113.256', '2001:db8', '1.2.3.4, 5.6.7.8'])(
    'no network if it is malformed: %.20s',
    (text) => expect(findNetwork(text)).toBeUndefined(),
  );
});

describe('behind two proxies', () => {
  const pages = [new Hono<HttpEnv>().get('/address', (c) => c.text(c.get('exchange').address))];
  const service = useService({ pages, trustedProxies: 2 });
  const asked = async (forwarded?: string) =>
    await (
      await fetch(`${service.url}/address`, {
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      })
    ).text();

  test('the entry of the first proxy counts', async () => {
    expect(await asked('203.0.113.7, 10.0.0.1')).toBe('203.0.113.7');
    expect(await asked('6.6.6.6, 203.0.113.7, 10.0.0.1')).toBe('203.0.113.7');
    expect(await asked('6.6.6.6, 2001:db8:1:2::3, 10.0.0.1')).toBe('2001:db8:1:2::/64');
  });

  test('a client that bypasses one of them cannot forge its address', async () => {
    expect(await asked('6.6.6.6')).toBe('127.0.0.1');
    expect(await asked()).toBe('127.0.0.1');
  });
});
