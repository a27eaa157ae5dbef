import { useNavigate, useSearchParams } from 'react-router-dom'

type Changed = Readonly<Record<string, string>>

/** The address with some parameters changed; an empty value removes one. */
export function addressWith(address: URLSearchParams, changed: Changed) {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(changed)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}

/** The parameters of the address, and a function that changes some of them without an entry in the tab's history. */
export function useAddress() {
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const change = (changed: Changed) => {
    // Not `address`, which is out of date until the screen has rendered the change before.
    void navigate(addressWith(new URLSearchParams(window.location.search), changed), { replace: true })
  }
  return [address, change] as const
}
