import { openSwitch, type Switch } from '../failover/switch.ts';
import type { Detour } from '../kit/service.ts';

/** `cut` ends all connections, and refuses new ones; `silent` keeps them, and nothing arrives any more. */
export const TROUBLES = ['cut', 'silent'] as const;

/** A link between two parts, or before a server that all reach alike. */
interface Breakable {
  readonly name: string;
  readonly to: string;
  readonly port: number;
  readonly way: Switch;
}

/** Connections that can be broken. */
export class Network {
  readonly links: Breakable[] = [];

  readonly detour: Detour = async ({ from, to }, port) => {
    const way = await openSwitch(port);
    this.links.push({ name: `${from}-to-${to}`, to, port, way });
    return way.port;
  };

  /** Breaks all connections of a link, by its name, `meanwhile`. */
  async disturb(link: string, trouble: (typeof TROUBLES)[number], meanwhile: () => Promise<void>): Promise<void> {
    const { way, port } = this.links.find(({ name }) => name === link) as Breakable;
    if (trouble === 'cut') way.refuse();
    else way.silence();
    if (trouble === 'cut') way.cut();
    try {
      await meanwhile();
    } finally {
      way.leadTo(port);
      way.speak();
      way.cut();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.links.map(({ way }) => way.close()));
  }
}
