type Kept = {
  /** Whether the panel was asked for, or asked away. */
  isOn?: boolean
  isOpen?: boolean
  tab?: string
  /** Said once the page is there again. */
  said?: string | undefined
  /** Who was signed in here, by key. */
  persona?: string
  /** The faults that a preset has set, by its name. */
  presets?: Record<string, number[]>
  isPseudo?: boolean
}

const KEY = 'developerPanel'

/** What the browser's tab remembers of the panel. Written when the page is left: the portal empties that storage when a session ends. */
export const kept: Kept = read()

addEventListener('pagehide', () => sessionStorage.setItem(KEY, JSON.stringify(kept)))

function read(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
