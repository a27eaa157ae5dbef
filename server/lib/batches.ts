/** A query that runs for longer does not delay the next one. */
const PATIENCE_MS = 50

/**
 * Returns a function that looks up a value by its key. Keys of one turn of the event loop share a query, and those that arrive while it runs
 * share the next one. A query begins after its calls, so no answer is older than its question. Keys with the same name are equal.
 */
export function lookUpInBatches<Key, Value>(
  load: (keys: Key[]) => Promise<ReadonlyMap<unknown, Value>>,
  nameOf: (key: Key) => unknown = (key) => key,
) {
  let next: { keys: Map<unknown, Key>; found: Promise<ReadonlyMap<unknown, Value>> } | undefined
  let last: Promise<unknown> | undefined

  function begin() {
    const keys = new Map<unknown, Key>()
    const turn = last ? endOrPatience(last) : new Promise<void>((resolve) => void setImmediate(resolve))
    const found = turn.then(() => {
      next = undefined
      return load([...keys.values()])
    })
    const ended = found.then(
      () => {},
      () => {},
    )
    last = ended
    void ended.then(() => {
      if (last === ended) last = undefined
    })
    return { keys, found }
  }

  return async (key: Key): Promise<Value | undefined> => {
    next ??= begin()
    const { keys, found } = next
    const name = nameOf(key)
    keys.set(name, key)
    return (await found).get(name)
  }
}

function endOrPatience(query: Promise<unknown>) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    void query.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
