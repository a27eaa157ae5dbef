export type Engine = 'sqlite' | 'postgres'

let engine: Engine = 'sqlite'
let isRead = false

/**
 * The engine that the tables are built for. Tables are built when their modules are loaded, so a process has one engine from then on.
 */
export function readEngine(): Engine {
  isRead = true
  return engine
}

/** Chooses PostgreSQL for this process. Call it before any module with tables is loaded; throws when it is too late. */
export function usePostgres() {
  if (isRead && engine !== 'postgres') throw new Error('The engine is chosen before the tables are loaded.')
  engine = 'postgres'
}
