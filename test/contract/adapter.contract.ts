import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import type { Tokens } from '../../src/providers/provider.ts';
import { useContract } from '../providers/contract.ts';
import { describeAdapter } from './suite.ts';
import { findRealPlatform, type RealPlatform } from './target.ts';

const name = PROVIDER_NAMES.find((one) => one === process.env.CONTRACT_PROVIDER);
if (name === undefined) throw new Error('Run this with `npm run contract -- provider-a`, or another provider.');

describe(`${name}: the sandbox`, () => {
  const contract = useContract(name);
  describeAdapter(async () => {
    const { client, provider } = contract;
    const { tokens } = await contract.connect(contract.account());
    const skipTime = (seconds: number) => contract.control.setClock(seconds * 1000);
    return { provider, client, tokens, mayWrite: () => true, keep: () => undefined, skipTime };
  });
});

const real = findRealPlatform(process.env);
describe.skipIf(real === undefined)(`${name}: the real platform`, () => {
  let target: Awaited<ReturnType<RealPlatform['open']>> | undefined;
  let latest: Tokens | undefined;
  beforeAll(async () => {
    target = await real?.open(name, (tokens) => {
      latest = tokens;
      keepTokens(tokens);
    });
  });
  afterAll(() => target?.close());
  describeAdapter(async () => {
    if (target === undefined) throw new Error('The real platform was not opened.');
    return { ...target, tokens: latest ?? target.tokens };
  });
});

function keepTokens(tokens: Tokens): void {
  const file = process.env.CONTRACT_TOKENS_FILE ?? '';
  const kept = {
    ...tokens,
    accessToken: tokens.accessToken.reveal(),
    refreshToken: tokens.refreshToken?.reveal() ?? null,
  };
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
}
