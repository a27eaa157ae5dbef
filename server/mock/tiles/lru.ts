/** A cache of at most `size` entries that evicts the least recently used one. */
export function createLru<V>(size: number) {
  const entries = new Map<string, V>()
  return {
    get(key: string): V | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: V) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= size) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        return
      }
    },
    get size() {
      return entries.size
    },
  }
}
