/** A host with a port, as many programs write the two: `[::]:8080`, `0.0.0.0:8080`, `:8080`. */
const WITH_PORT = /^(\[[^\]]*\]|[^:[\]/]*):(\d{1,5})$/;

/**
 * Moves the port of each `NAME_HOST` that has one to `NAME_PORT`.
 * @param faults gets a sentence for each contradiction.
 */
export function splitPorts(
  values: Readonly<Record<string, string | undefined>>,
  faults: string[],
): Record<string, string | undefined> {
  const split = { ...values };
  for (const [name, value = ''] of Object.entries(values)) {
    const [, host, port] = WITH_PORT.exec(value) ?? [];
    if (host === undefined || !name.endsWith('_HOST')) continue;
    const portName = name.replace(/_HOST$/, '_PORT');
    if (values[portName] !== undefined && values[portName] !== port)
      faults.push(`${name} ends with another port than ${portName}: leave it out there`);
    split[name] = host === '' ? '*' : host;
    split[portName] ??= port;
  }
  return split;
}
