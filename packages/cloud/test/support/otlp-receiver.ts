import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

/** A received span, with the name of its node. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly node: string
  readonly attributes: Readonly<Record<string, string | number>>
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly attributes: readonly OtlpAttribute[]
      }[]
    }[]
  }[]
}

interface OtlpAttribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number }
}

/** A collector that keeps what clouds send to `/v1/traces`. */
export class OtlpReceiver {
  readonly url: string
  /** The bodies as received. */
  readonly bodies: Buffer[] = []
  readonly paths = new Set<string | undefined>()
  readonly contentTypes = new Set<string | undefined>()
  readonly authorizations = new Set<string | undefined>()
  readonly spans: ReceivedSpan[] = []

  private constructor(url: string) {
    this.url = url
  }

  /** Starts a collector on a free port; the scope closes it. @param isSilent whether it never answers */
  static async start(scope: Scope, isSilent = false): Promise<OtlpReceiver> {
    const server = createServer(async (request, response) => {
      const body = await buffer(request)
      receiver.bodies.push(body)
      receiver.paths.add(request.url)
      receiver.contentTypes.add(request.headers['content-type'])
      receiver.authorizations.add(request.headers.authorization)
      if (isSilent) return
      if (request.headers['content-type'] === 'application/json')
        receiver.#receive(JSON.parse(body.toString()))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const receiver = new OtlpReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    scope.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return receiver
  }

  /** Returns the spans of the trace that contains a span of each name. @throws Error at the deadline */
  async traceWith(...names: readonly string[]): Promise<readonly ReceivedSpan[]> {
    const traces = () => Map.groupBy(this.spans, ({ traceId }) => traceId)
    return waitFor(
      `a trace with ${names.join(', ')}; received: ${[...new Set(this.spans.map(({ name }) => name))]}`,
      () =>
        [...traces().values()].find((spans) =>
          names.every((name) => spans.some((span) => span.name === name)),
        ),
    )
  }

  #receive({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const node = String(valuesOf(resource.attributes)['service.instance.id'])
      for (const { name, traceId, spanId, parentSpanId, attributes } of scopeSpans.flatMap(
        ({ spans }) => spans,
      ))
        this.spans.push({ name, traceId, spanId, parentSpanId, node, attributes: valuesOf(attributes) })
    }
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? '']),
  )
}
