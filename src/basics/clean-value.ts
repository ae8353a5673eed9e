/** The value that Kubernetes puts into NAME_PORT for a Service called `name`. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//;

/**
 * The value of an environment variable, without surrounding space and quotes, which `docker --env-file` and `kubectl
 * --from-env-file` keep. @returns undefined if nothing is left, or if Kubernetes has set it for a Service that happens to have the name.
 */
export function cleanValue(name: string, text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(trimmed) ?? [];
  const value = quoted ?? trimmed;
  return value === '' || (name.endsWith('_PORT') && SERVICE_LINK.test(value)) ? undefined : value;
}
