type Kept = {
  /** Whether the panel was switched on or off in the URL; undefined when it was not mentioned. */
  isOn?: boolean
  isOpen?: boolean
  tab?: string
  /** A message to show after the reload. */
  said?: string | undefined
  /** The persona signed in through the panel, by key. */
  persona?: string
  /** The ids of the faults that each preset has set. */
  presets?: Record<string, number[]>
  isPseudo?: boolean
}

const KEY = 'developerPanel'

/** The panel's state in this browser tab. Saved on leaving the page, because the portal clears sessionStorage when a session ends. */
export const kept: Kept = read()

addEventListener('pagehide', () => sessionStorage.setItem(KEY, JSON.stringify(kept)))

function read(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
