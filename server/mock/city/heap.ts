/** Creates a binary min-heap of small integers. Its arrays are reused after `clear`, so a search allocates nothing. */
export function createHeap() {
  const items: number[] = []
  const keys: number[] = []
  let size = 0

  const place = (at: number, item: number, key: number) => {
    items[at] = item
    keys[at] = key
  }

  return {
    clear() {
      size = 0
    },
    push(item: number, key: number) {
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (keys[parent]! <= key) break
        place(at, items[parent]!, keys[parent]!)
        at = parent
      }
      place(at, item, key)
    },
    /** Removes and returns the item with the least key; -1 when empty. */
    pop(): number {
      if (size === 0) return -1
      const top = items[0]!
      const item = items[--size]!
      const key = keys[size]!
      let at = 0
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
        if (keys[child]! >= key) break
        place(at, items[child]!, keys[child]!)
        at = child
      }
      if (size > 0) place(at, item, key)
      return top
    },
  }
}
