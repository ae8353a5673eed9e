import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const MODULE = 'github.com/prometheus-operator/prometheus-operator@v0.93.0';
const DEFINITIONS = ['servicemonitors-crd.json', 'prometheusrules-crd.json'];
/** Kubernetes checks metadata itself; a custom resource's own schema contains only `object`. */
const METADATA = 'https://kubernetes.io/api/_definitions.json#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Makes a schema refuse fields that it does not name, as the API server does with strict validation. */
function refuseUnknown(schema) {
  const { properties, items, additionalProperties } = schema;
  const named = Object.entries(properties ?? {}).map(([name, one]) => [name, refuseUnknown(one)]);
  return {
    ...schema,
    ...(items && { items: refuseUnknown(items) }),
    ...(properties && { properties: Object.fromEntries(named), additionalProperties: false }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: refuseUnknown(additionalProperties) }),
  };
}

/**
 * Reads the JSON schemas of ServiceMonitor and PrometheusRule from the Go module of the Prometheus operator. Needs Go.
 * @returns the file names under which kubernetes-validate looks for them, each with its schema
 */
export function readOperatorSchemas() {
  const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8' }));
  return DEFINITIONS.map((file) => {
    const { spec } = JSON.parse(readFileSync(path.join(Dir, 'jsonnet', 'prometheus-operator', file), 'utf8'));
    const { name, schema } = spec.versions.find(({ storage }) => storage);
    const strict = refuseUnknown(schema.openAPIV3Schema);
    const [group] = spec.group.split('.');
    return [
      `${spec.names.kind.toLowerCase()}-${group}-${name}.json`,
      {
        ...strict,
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `https://${spec.group}/api/${spec.names.singular}/${name}`,
        properties: {
          ...strict.properties,
          apiVersion: { const: `${spec.group}/${name}` },
          metadata: { $ref: METADATA },
        },
      },
    ];
  });
}
