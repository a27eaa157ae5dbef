import { and, asc, eq, gte, type Placeholder, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices, tags } from '#db/schema/devices.ts'
import { openTestDb } from '#server/test/test-database.ts'
import { preparedOn } from './prepared.ts'

test('a statement is prepared once per connection, and each connection has its own', () => {
  const prepared: string[] = []
  const statementsOf = preparedOn(({ name }: { name: string }) => {
    prepared.push(name)
    return { name }
  })
  const [reader, writer] = [{ name: 'reader' }, { name: 'writer' }]
  const first = statementsOf(reader)
  expect(statementsOf(reader)).toBe(first)
  expect(statementsOf(writer)).toEqual({ name: 'writer' })
  expect(statementsOf({ name: 'reader' })).not.toBe(first)
  expect(prepared).toEqual(['reader', 'writer', 'reader'])
})

test('a statement that could not be prepared is prepared again at its next use', () => {
  let isBroken = true
  const statementsOf = preparedOn(() => {
    if (isBroken) throw new Error('no such table')
    return 'ready'
  })
  const connection = {}
  expect(() => statementsOf(connection)).toThrow('no such table')
  isBroken = false
  expect(statementsOf(connection)).toBe('ready')
})

test('a statement of PostgreSQL is named after its text', () => {
  const prepare = (text: string) => ({ params: [], queryConfig: { text, name: undefined }, rawQueryConfig: { text, name: undefined } })
  const statementsOf = preparedOn(() => ({ one: prepare('select 1'), two: prepare('select 2') }))
  const [first, second] = [statementsOf({}), statementsOf({})]
  expect(first.one.queryConfig.name).toMatch(/^[\w-]{24}$/)
  expect(first.one.rawQueryConfig.name).toBe(first.one.queryConfig.name)
  expect(second.one.queryConfig.name).toBe(first.one.queryConfig.name)
  expect(first.two.queryConfig.name).not.toBe(first.one.queryConfig.name)
})

test('a prepared statement returns the same rows as the builder, also for joined tables and for a left join without a match', async () => {
  const db = await openTestDb('family')
  await db.write([], async (tx) => {
    const query = (from: number | Placeholder) =>
      tx
        .select({ device: devices, tag: { id: tags.id, name: tags.name }, tags, two: sql<number>`1 + 1`, nothing: sql<null>`null` })
        .from(devices)
        .leftJoin(tags, eq(tags.id, devices.tagId))
        .where(and(gte(devices.id, sql`${from}`), gte(devices.createdAt, sql`${0}`)))
        .orderBy(asc(devices.id))
    const prepared = preparedOn((_: object) => query(sql.placeholder('from')).prepare())(db)
    const rows = await prepared.execute({ from: 3 })
    expect(rows).toEqual(await query(3))
    expect(new Set(rows.map(({ tag }) => tag === null))).toEqual(new Set([true, false]))
    await expect(prepared.execute({})).rejects.toThrow('No value for placeholder "from" was provided')
  })
  db.close()
})
