import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Context, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tracePostgres, traceSqlite } from '#db/open/trace-statements.ts'
import { setSpans } from '#server/lib/spans.ts'

type Options = { serviceName: string | undefined; version: string; engine: 'sqlite' | 'postgres' }

/**
 * Exports traces to `OTEL_EXPORTER_OTLP_ENDPOINT`, which the exporter reads itself, like `OTEL_EXPORTER_OTLP_HEADERS`. Call before the
 * database is opened. Loaded only if traces are exported.
 */
export function startTracing({ serviceName = 'whereabouts', version, engine }: Options) {
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('whereabouts')
  const system = engine === 'postgres' ? 'postgresql' : 'sqlite'
  const begin = (text: string) => {
    const [operation = ''] = /^\w+/.exec(text) ?? []
    const attributes = { 'db.system.name': system, 'db.query.text': text, 'db.operation.name': operation }
    // A statement without a parent, such as a check whether something is due, gets no trace of its own.
    if (!trace.getActiveSpan()) return () => {}
    const span = tracer.startSpan(operation || system, { kind: SpanKind.CLIENT, attributes })
    return (error?: unknown) => endSpan(span, error)
  }
  if (engine === 'postgres') tracePostgres(begin, (work) => context.bind(context.active(), work))
  else traceSqlite(begin)
  setSpans((name, work) => tracer.startActiveSpan(name, (span) => endWith(span, work())))
  traceCalls(tracer)
  return {
    /** Creates a span for each request, named after the pattern of its route. */
    async traceRequests(app: FastifyInstance) {
      const contexts = new WeakMap<FastifyRequest, Context>()
      app.addHook('onRequest', (request, reply, done) => {
        const { method, routeOptions } = request
        const route = routeOptions.url ?? 'none'
        const attributes = { 'http.request.method': method, 'http.route': route }
        const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes })
        reply.raw.once('close', () => {
          span.setAttribute('http.response.status_code', reply.raw.statusCode)
          if (reply.raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        })
        const inSpan = trace.setSpan(context.active(), span)
        contexts.set(request, inSpan)
        context.with(inSpan, done)
      })
      // The body was read outside of the span.
      app.addHook('preValidation', (request, _, done) => context.with(contexts.get(request) ?? context.active(), done))
    },
    /** Exports the remaining spans. */
    stop: () => provider.shutdown().catch(() => undefined),
  }
}

/** Traces HTTP calls to other servers: Stripe's over Node's client, those to geocoder, push services and networks over fetch. */
function traceCalls(tracer: Tracer) {
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

async function endWith<T>(span: Span, work: Promise<T>) {
  try {
    const result = await work
    span.end()
    return result
  } catch (error) {
    endSpan(span, error)
    throw error
  }
}

/** The message of an error may contain values, so only its name and code are exported. */
function endSpan(span: Span, error?: unknown) {
  if (error instanceof Error) {
    span.setAttribute('error.type', 'code' in error ? String(error.code) : error.name)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
