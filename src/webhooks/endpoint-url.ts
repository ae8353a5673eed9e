import { createNetworkCheck, isPublicHost } from '../basics/public-address.ts';

/** The addresses to which the service may send webhooks. */
export interface WebhookEgress {
  readonly production: boolean;
  /** Networks with addresses that are not public, in CIDR notation. */
  readonly privateNetworks: readonly string[];
}

const MOST_CHARACTERS = 2_048;
const UNSAFE = /[\s\p{Cc}\p{Cf}\p{Surrogate}\\]/u;

/**
 * Finds the fault of an endpoint's URL; the message follows the name of the field. The client checks the
 * resolved address of each connection again, because a name can change.
 */
export function findEndpointUrlFault(text: string, { production, privateNetworks }: WebhookEgress): string | undefined {
  if (text.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  if (UNSAFE.test(text)) return 'must not contain whitespace, backslashes or invisible characters';
  const url = parse(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be a URL that begins https://';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (text.includes('#')) return 'must not contain a fragment';
  const isOpen = isPublicHost(url.hostname);
  if (url.protocol === 'http:' && (production || isOpen)) return 'must begin with https://';
  if (!production || isOpen || isNamed(url.hostname, privateNetworks)) return undefined;
  return 'names a host that is not public: its network must be in WEBHOOK_PRIVATE_NETWORKS';
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** An address must be in one of the networks. A name is checked when it resolves, at the connection. */
function isNamed(hostname: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  return !isAddress || createNetworkCheck(networks)(host);
}
