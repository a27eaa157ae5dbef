import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'

/** Traces HTTP calls to other servers: Stripe's over Node's client, those to geocoder, push services and networks over fetch. */
export function traceCalls(tracer: Tracer) {
  const open = new WeakMap<object, Span>()
  const start = (request: object, method: string, host: string) => {
    // The export of traces has no parent, nor do calls outside a request or a job.
    if (!trace.getSpan(context.active())) return
    const attributes = { 'http.request.method': method, 'server.address': host }
    open.set(request, tracer.startSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }))
  }
  const end = (request: object, status?: number) => {
    const span = open.get(request)
    open.delete(request)
    if (status !== undefined) span?.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  const on = <T>(name: string, hear: (message: T) => void) => subscribe(name, (message) => hear(message as T))
  on<{ request: ClientRequest }>('http.client.request.start', ({ request }) => start(request, request.method, request.host))
  on<{ request: ClientRequest; response: IncomingMessage }>('http.client.response.finish', ({ request, response }) =>
    end(request, response.statusCode),
  )
  on<{ request: ClientRequest }>('http.client.request.error', ({ request }) => end(request))
  type FetchRequest = { method: string; origin: string }
  on<{ request: FetchRequest }>('undici:request:create', ({ request }) => start(request, request.method, new URL(request.origin).host))
  on<{ request: FetchRequest; response: { statusCode: number } }>('undici:request:headers', ({ request, response }) =>
    end(request, response.statusCode),
  )
  on<{ request: FetchRequest }>('undici:request:error', ({ request }) => end(request))
}
