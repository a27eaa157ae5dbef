import { useEffect, useRef, useState } from 'react'
import type { FoundAddress } from '#contracts/addresses.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { addressesApi } from './addresses.api.ts'

/** Milliseconds after the last move of a spot until its address is requested. */
const PAUSE_MS = 400

/** The address of a place: typed, chosen from suggestions with its point, or that of a spot on the map. */
export function useAddress(saved: string) {
  const hasAddresses = useFeature('addresses')
  const [text, setText] = useState(saved)
  const [spot, setSpot] = useState<LatLng | null>(null)
  const [replaced, setReplaced] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  const set = (next: string, at: LatLng | null) => {
    cancel()
    setText(next)
    setSpot(at)
    setReplaced(null)
  }
  return {
    text,
    /** The point of a chosen suggestion, until the text changes. */
    spot,
    isChosen: spot !== null,
    type: (next: string) => set(next, null),
    choose: ({ label, lat, lng }: FoundAddress) => set(label, { lat, lng }),
    /** The text before the address of the spot took its place. */
    replaced,
    restore: () => set(replaced ?? text, null),
    /** Fills in the address of a spot once it rests. */
    lookUp: (at: LatLng | null) => {
      cancel()
      if (!at || !hasAddresses) return
      timer.current = setTimeout(async () => {
        const mine = timer.current
        const label = (await addressesApi.nearest({ query: at }, { staysOnNoAnswer: true }).catch(() => null))?.label
        if (!label || timer.current !== mine) return
        setText(label)
        setReplaced((before) => before ?? (text.trim() && text !== label ? text : null))
      }, PAUSE_MS)
    },
  }
}
