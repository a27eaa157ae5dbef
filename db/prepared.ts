import { createHash } from 'node:crypto'

/** Prepares statements once per connection: planning a query anew costs more than running it. */
export function preparedOn<Connection extends object, Statements>(prepare: (connection: Connection) => Statements) {
  const known = new WeakMap<Connection, Statements>()
  return (connection: Connection) => {
    const statements = known.get(connection) ?? nameAll(prepare(connection))
    known.set(connection, statements)
    return statements
  }
}

/** A statement, or an object of them. */
function nameAll<Statements>(statements: Statements): Statements {
  if (typeof statements !== 'object' || statements === null) return statements
  for (const statement of [statements, ...Object.values(statements)]) named(statement)
  return statements
}

/** Names a statement after its text, because PostgreSQL plans only named ones once. SQLite's have no names. */
export function named<Statement>(statement: Statement): Statement {
  if (typeof statement !== 'object' || statement === null || !('queryConfig' in statement) || !('rawQueryConfig' in statement))
    return statement
  for (const config of [statement.queryConfig, statement.rawQueryConfig] as { name?: string; text: string }[])
    config.name = createHash('sha256').update(config.text).digest('base64url').slice(0, 24)
  return statement
}
