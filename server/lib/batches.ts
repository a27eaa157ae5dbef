/**
 * Returns a function that looks up a value by its key. Keys of one turn of the event loop share a query, and those that arrive while it runs
 * share the next one. A query begins after its calls, so no answer is older than its question.
 */
export function lookUpInBatches<Key, Value>(load: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>) {
  let next: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | undefined
  let last: Promise<unknown> | undefined

  function begin() {
    const keys = new Set<Key>()
    const turn = last ?? new Promise<void>((resolve) => void setImmediate(resolve))
    const found = turn.then(() => {
      next = undefined
      return load([...keys])
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
    keys.add(key)
    return (await found).get(key)
  }
}
