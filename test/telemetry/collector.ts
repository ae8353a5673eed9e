import { createServer } from 'node:http';
import protobuf from 'protobufjs';

/** The fields used here of `opentelemetry/proto/trace/v1/trace.proto` and its imports, from opentelemetry-proto. */
const MESSAGES = `
  syntax = "proto3";
  message Export { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`;
const Export = protobuf.parse(MESSAGES).root.lookupType('Export');

type Attributes = Readonly<Record<string, string | number | boolean>>;

export type CollectedSpan = ReturnType<typeof readSpan>;

/** Without the prefix `SPAN_KIND_`. */
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** An OpenTelemetry collector that stores the received spans and bodies: OTLP over HTTP, in protobuf. */
export async function startCollector(port: number) {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...read(body));
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}
interface SentAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}
interface SentSpan {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId: Buffer;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly SentAttribute[];
  readonly links: readonly { readonly traceId: Buffer }[];
  readonly status: { readonly code: number } | null;
}

function read(body: Buffer): CollectedSpan[] {
  const sent = Export.toObject(Export.decode(body), { longs: Number, arrays: true, defaults: true }) as Sent;
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)));
  });
}

const readSpan = (service: string, span: SentSpan) => ({
  service,
  traceId: span.traceId.toString('hex'),
  spanId: span.spanId.toString('hex'),
  parentSpanId: span.parentSpanId.toString('hex'),
  name: span.name,
  kind: KINDS[span.kind] ?? String(span.kind),
  attributes: readAttributes(span.attributes),
  /** The trace ids of its links. */
  links: span.links.map(({ traceId }) => traceId.toString('hex')),
  failed: span.status?.code === 2,
});

const readAttributes = (attributes: readonly SentAttribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
