import type { NewFault } from '#contracts/mock/faults.ts'
import { type EndpointRequest, matchesRequest } from '#server/mock/lib/endpoint-requests.ts'
import { createRandom } from '#server/mock/lib/random.ts'

export type Fault = NewFault & {
  id: number
  matched: number
  happened: number
  /** First responses of a stale read, by caller and address. */
  firstResponses: Map<string, string>
}

export type Faults = {
  all(): readonly Fault[]
  add(fault: NewFault): Fault
  remove(id: number): boolean
  clear(): void
  /** Whether a fault might apply, whoever the caller is. */
  mayApply(call: EndpointRequest): boolean
  /** Returns the faults among those of `isMeant` that apply to a request, in the order they were added, and counts them. */
  takeMatching(call: EndpointRequest, isMeant: (fault: Fault) => boolean): readonly Fault[]
  /** A number of the world's own sequence, from 0 to 1. */
  draw(): number
}

/** Only a stub answers on a path that the API does not have, and only when its path is named. */
const canApply = ({ route }: EndpointRequest, { effect, match }: NewFault) =>
  route !== undefined || (effect === 'respond' && match?.route?.startsWith('/') === true)

/** Probabilities are drawn from the seed, so the same requests in the same order meet the same faults. */
export function createFaults(seed: number, seeded: readonly NewFault[] = []): Faults {
  const draw = createRandom(seed)
  let faults: Fault[] = []
  let count = 0
  const add = (fault: NewFault) => {
    const added = { ...fault, id: ++count, matched: 0, happened: 0, firstResponses: new Map<string, string>() }
    faults.push(added)
    return added
  }
  const happens = (fault: Fault) => {
    const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
    if (++fault.matched <= after || fault.happened >= times || (probability < 1 && draw() >= probability)) return false
    fault.happened++
    return true
  }
  for (const fault of seeded) add(fault)
  return {
    all: () => faults,
    add,
    remove(id) {
      const left = faults.filter((fault) => fault.id !== id)
      const isKnown = left.length < faults.length
      faults = left
      return isKnown
    },
    clear() {
      faults = []
    },
    draw,
    mayApply: (call) =>
      faults.some((fault) => {
        const { persona: _, ...match } = fault.match ?? {}
        return canApply(call, fault) && matchesRequest(call, match)
      }),
    takeMatching: (call, isMeant) =>
      faults.filter((fault) => isMeant(fault) && canApply(call, fault) && matchesRequest(call, fault.match ?? {}) && happens(fault)),
  }
}
