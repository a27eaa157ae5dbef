import type { Socket } from 'node:net'
import type pg from 'pg'
import { nameLostDatabase } from '#db/classify-error.ts'

/**
 * Makes a connection send each statement in full, because the next transaction may get another session, in which the statement is not
 * prepared.
 */
export function forgetStatements(client: pg.PoolClient) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((first: unknown, ...others: unknown[]) =>
    query(typeof first === 'object' && first !== null && 'name' in first ? { ...first, name: undefined } : first, ...others)) as never
}

/**
 * Sends the statements of one turn together, because each write to the socket costs as much as a small statement. Refuses statements between
 * a commit and its answer: they would not belong to its transaction.
 */
export function sendTogether(client: pg.PoolClient) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let isCommitting = false
  const end = () => {
    isCommitting = false
  }
  client.query = ((...args: unknown[]) => {
    if (isCommitting) throw new Error('A statement was sent after the commit of its transaction.')
    if (stream.writableCorked === 0) {
      stream.cork()
      process.nextTick(() => stream.uncork())
    }
    const result = query(...args)
    if (args[0] === 'commit') {
      isCommitting = true
      void Promise.resolve(result).then(end, end)
    }
    return result
  }) as never
}

/** Makes a method of the driver reject with a `LostDatabase` when the connection is lost; calls with a callback are unchanged. */
export function nameFailures<K extends string>(target: Record<K, unknown>, method: K, onFailure: (error: unknown) => void) {
  const call = (target[method] as (...args: unknown[]) => unknown).bind(target)
  target[method] = (...args: unknown[]) => {
    const result = call(...args)
    if (!(result instanceof Promise)) return result
    return result.catch((error) => {
      const named = nameLostDatabase(error)
      onFailure(named)
      throw named
    })
  }
}

/** Closes a connection at once; its queries fail as after a network failure. */
export const cut = (client: object) => (client as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
