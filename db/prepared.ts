/** Prepares statements once per connection: planning a query anew costs more than running it. */
export function preparedOn<Connection extends object, Statements>(prepare: (connection: Connection) => Statements) {
  const known = new WeakMap<Connection, Statements>()
  return (connection: Connection) => {
    const statements = known.get(connection) ?? prepare(connection)
    known.set(connection, statements)
    return statements
  }
}
