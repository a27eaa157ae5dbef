export type Engine = 'sqlite' | 'postgres'

let engine: Engine = 'sqlite'
let isRead = false

/** The engine for which the tables are built. Tables are built when their modules are loaded, so a process has one engine from then on. */
export function readEngine(): Engine {
  isRead = true
  return engine
}

/** Chooses the engine of this process: PostgreSQL if given the address of one. Throws when tables were already built for the other. */
export function chooseEngine(databaseUrl: string | undefined) {
  const chosen = databaseUrl ? 'postgres' : 'sqlite'
  if (isRead && engine !== chosen) throw new Error('The engine is chosen before the tables are loaded.')
  engine = chosen
}
