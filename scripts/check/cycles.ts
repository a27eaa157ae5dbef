/** Finds groups of nodes that reach each other (Tarjan's strongly connected components of more than one node). */
export function findCycles(edges: { from: string; to: string }[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string) => {
    const index = order.size
    order.set(node, index)
    let low = index
    stack.push(node)
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) visit(other)
      if (stack.includes(other)) low = Math.min(low, lowest.get(other) ?? order.get(other) ?? low)
    }
    lowest.set(node, low)
    if (low !== index) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return cycles
}
