import { createHash } from 'node:crypto'
import { Column, getTableName, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'

/** Prepares statements once per connection: planning a query again takes longer than running it. */
export function preparedOn<Connection extends object, Statements>(prepare: (connection: Connection) => Statements) {
  const known = new WeakMap<Connection, Statements>()
  return (connection: Connection) => {
    const statements = known.get(connection) ?? improveAll(prepare(connection))
    known.set(connection, statements)
    return statements
  }
}

/** A statement, or an object of them. */
function improveAll<Statements>(statements: Statements): Statements {
  if (typeof statements !== 'object' || statements === null) return statements
  for (const statement of [statements, ...Object.values(statements)]) improved(statement)
  return statements
}

/** Speeds up a prepared statement, in each engine's own way. */
export function improved<Statement>(statement: Statement): Statement {
  if (typeof statement !== 'object' || statement === null) return statement
  if (isNamed(statement)) {
    nameQuery(statement)
    replaceNamedExecute(statement)
  }
  if (isSqlite(statement)) replaceExecute(statement)
  return statement
}

type NamedQuery = { name?: string; text: string }
type NamedStatement = Record<'queryConfig' | 'rawQueryConfig', NamedQuery> & {
  client: { query(query: NamedQuery, values: Tuple): Promise<{ rows: Tuple[] }> }
  params: unknown[]
  fields?: Field[]
  joinsNotNullableMap?: Record<string, boolean>
  customResultMapper?: unknown
  execute(values?: Values): PromiseLike<unknown>
}

const isNamed = (statement: object): statement is NamedStatement => 'queryConfig' in statement && 'rawQueryConfig' in statement

/** Names a statement after its text, because PostgreSQL caches the plans of named ones only. SQLite's need no names. */
function nameQuery({ queryConfig, rawQueryConfig }: NamedStatement) {
  for (const config of [queryConfig, rawQueryConfig])
    config.name = createHash('sha256').update(config.text).digest('base64url').slice(0, 24)
}

type Values = Record<string, unknown>
type Tuple = readonly unknown[]
type Field = { path: string[]; field: unknown }
/** The parts of Drizzle's statement that its `execute` uses. */
type SqliteStatement = {
  stmt: { raw(): { all(...values: Tuple): Tuple[] }; run(...values: Tuple): unknown }
  query: { params: unknown[] }
  executeMethod: string
  /** Undefined if nothing is returned. */
  fields?: Field[]
  joinsNotNullableMap?: Record<string, boolean>
  execute(values?: Values): PromiseLike<unknown>
}

const isSqlite = (statement: object): statement is SqliteStatement => 'stmt' in statement && 'executeMethod' in statement

/** The same as `replaceExecute` for PostgreSQL. */
function replaceNamedExecute(statement: NamedStatement) {
  const { client, params, fields, queryConfig, rawQueryConfig, customResultMapper } = statement
  if (customResultMapper) return
  const binders = params.map(createBinder)
  const bindAll = (values: Values) => binders.map((bind) => bind(values))
  if (!fields) statement.execute = async (values = {}) => client.query(rawQueryConfig, bindAll(values))
  else {
    const toRow = compileRow(fields, statement.joinsNotNullableMap)
    if (toRow) statement.execute = async (values = {}) => (await client.query(queryConfig, bindAll(values))).rows.map(toRow)
  }
}

/** Drizzle looks up the decoder of each value of each row, which takes longer than the query. Here it is compiled once. */
function replaceExecute(statement: SqliteStatement) {
  const { stmt, query, executeMethod, fields } = statement
  const binders = query.params.map(createBinder)
  const toRow = executeMethod === 'all' && fields ? compileRow(fields, statement.joinsNotNullableMap) : null
  if (toRow) {
    const raw = stmt.raw()
    statement.execute = async (values = {}) => raw.all(...binders.map((bind) => bind(values))).map(toRow)
  } else if (executeMethod === 'run') statement.execute = async (values = {}) => stmt.run(...binders.map((bind) => bind(values)))
}

function createBinder(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => findValue(values, param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { name } = param.value
  return (values) => param.encoder.mapToDriverValue(findValue(values, name))
}

function findValue(values: Values, name: string) {
  const value = values[name]
  if (value === undefined && !(name in values)) throw new Error(`No value for placeholder "${name}" was provided`)
  return value
}

/**
 * Compiles a function that builds the object of a row as one literal, so that all rows have one shape. Returns null if columns are nested
 * deeper than in an object for each joined table.
 */
function compileRow(fields: Field[], joinsNotNullableMap: SqliteStatement['joinsNotNullableMap']): ((row: Tuple) => unknown) | null {
  if (fields.some(({ path }) => path.length > 2)) return null
  const decoders = fields.map(findDecoder)
  const read = (index: number) =>
    decoders[index] ? `row[${index}] === null ? null : decoders[${index}].mapFromDriverValue(row[${index}])` : `row[${index}]`
  const literals = new Map<string, string>()
  for (const [index, { path }] of fields.entries()) {
    const [name = '', column] = path
    if (column === undefined) literals.set(name, read(index))
    else if (!literals.has(name)) literals.set(name, readJoined(name))
  }
  function readJoined(name: string) {
    const indexes = [...fields.keys()].filter((index) => fields[index]!.path[0] === name)
    const literal = formatLiteral(indexes.map((index) => [fields[index]!.path[1]!, read(index)]))
    const absence = joinsNotNullableMap && findAbsenceColumn(fields, indexes, joinsNotNullableMap)
    return absence === undefined ? literal : `row[${absence}] === null ? null : ${literal}`
  }
  return compile(`return (row) => (${formatLiteral(literals)})`)(decoders)
}

const compiled = new Map<string, (decoders: unknown) => (row: Tuple) => unknown>()

/** Compiles a source once for all databases: each world of the mock server prepares the same statements. */
function compile(source: string) {
  const known = compiled.get(source) ?? (new Function('decoders', source) as NonNullable<ReturnType<typeof compiled.get>>)
  compiled.set(source, known)
  return known
}

const formatLiteral = (properties: Iterable<[name: string, value: string]>) =>
  `{ ${Array.from(properties, ([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')} }`

/** The column whose null means that a left join found no row: the first one of the object, if the object is of one table. */
function findAbsenceColumn(fields: Field[], indexes: number[], isNotNull: Record<string, boolean>) {
  const columns = indexes.filter((index) => is(fields[index]!.field, Column))
  const tables = new Set(columns.map((index) => getTableName((fields[index]!.field as Column).table)))
  const [table = ''] = tables
  return tables.size === 1 && !isNotNull[table] ? columns[0] : undefined
}

type Decoder = Pick<Column, 'mapFromDriverValue'>

/** Null if the driver's value is used unchanged. */
function findDecoder({ field }: Field): Decoder | null {
  const decoder = is(field, Column) ? field : decoderOf(is(field, SQL) ? field : (field as SQL.Aliased).sql)
  return PLAIN.includes(decoder.mapFromDriverValue) ? null : decoder
}

/** Drizzle's types hide the property, which exists at run time. */
const decoderOf = (part: SQL) => (part as unknown as { decoder: Decoder }).decoder

const PLAIN = [Column.prototype.mapFromDriverValue, decoderOf(sql``).mapFromDriverValue]
