import { copyFileSync } from 'node:fs'
import path from 'node:path'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { and, eq, gte, lte } from 'drizzle-orm'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HistoryPoint } from '#contracts/positions.ts'
import { Device, TrackerStatus } from '#contracts/trackers/devices.ts'
import { positions } from '#db/schema/positions.ts'
import { listDeviceIds } from '#db/scope.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { presentDevice, presentStatus } from '#server/trackers/records/devices.present.ts'
import { listDeviceFacts } from '#server/trackers/records/devices.store.ts'
import { presentPoint } from '#server/tracking/history/positions.present.ts'
import { addFleets, addMonth, firstOfFleet, MONTH_DEVICE } from './bench-data.ts'

/** The same work in the usual style: plugins on every request, a query builder, and a serializer that validates again. */
export type IdiomaticAddress = { small: string; list: string; month: string; pid: number }

const SIZE = 100

const file = path.join(process.argv[2]!, 'idiomatic.db')
copyFileSync(templateFile(), file)
const db = openSqlite(file)
addFleets(db)
addMonth(db)

const seconds = (date: Date) => date.getTime() / 1000

const app = Fastify().withTypeProvider<ZodTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
const viewer = { userId: firstOfFleet(SIZE), accountId: firstOfFleet(SIZE), role: 'user' } as const

app.get('/list', { schema: { response: { 200: z.array(Device) } } }, async () => {
  const facts = await listDeviceFacts(db.read, await listDeviceIds(db.read, viewer))
  return facts.map((each) => presentDevice(each, ANCHOR))
})
const Period = z.object({ not_before: z.coerce.date(), not_after: z.coerce.date() })
app.get('/month', { schema: { querystring: Period, response: { 200: z.array(HistoryPoint) } } }, async ({ query }) => {
  const between = and(gte(positions.time, seconds(query.not_before)), lte(positions.time, seconds(query.not_after)))
  const rows = await db.read
    .select()
    .from(positions)
    .where(and(eq(positions.deviceId, MONTH_DEVICE), between))
    .orderBy(positions.time)
  return rows.map((row) => presentPoint(MONTH_DEVICE, row, { nearest: () => null, search: () => [] }))
})
await app.register(async (scope) => {
  await scope.register(cookie)
  await scope.register(helmet)
  await scope.register(rateLimit, { max: 1e9, timeWindow: '1 minute' })
  const [facts] = await listDeviceFacts(db.read, [MONTH_DEVICE])
  const status = presentStatus(facts!.device, ANCHOR)
  scope.withTypeProvider<ZodTypeProvider>().get('/small', { schema: { response: { 200: TrackerStatus } } }, async () => status)
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ small: `${url}/small`, list: `${url}/list`, month: `${url}/month`, pid: process.pid } satisfies IdiomaticAddress)
