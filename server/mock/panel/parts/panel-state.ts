export type RequestFilter = { method: string; text: string; status: string; isBroken: boolean }

export type PanelState = {
  /** Whether the panel was switched on or off in the URL; undefined when it was not mentioned. */
  isOn?: boolean
  isOpen?: boolean
  /** True when the panel is in a window of its own, not in the page. */
  isOut?: boolean
  tab?: string
  message?: string | undefined
  persona?: string
  /** The ids of the faults created by each preset. */
  presets?: Record<string, number[]>
  isPseudo?: boolean
  requestFilter?: RequestFilter
  /** The initial call of the fault form. */
  callToBreak?: { route: string; method: string } | undefined
}

const STORAGE_KEY = 'developerPanel'

/** The panel's state in this browser tab. Saved on leaving the page, because the portal clears sessionStorage when a session ends. */
export const panelState: PanelState = readState()

addEventListener('pagehide', () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(panelState)))

function readState(): PanelState {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}

type Deviation = { call: string; path: string; habit: string }

/** Deviations in responses that the portal tolerated since the page was loaded, newest first. */
export const deviations: Deviation[] = []

/** The portal reports each difference between a response and the contract once per session. */
export const collectDeviations = () =>
  addEventListener('whereabouts:deviations', (event) => deviations.unshift(...(event as CustomEvent<Deviation[]>).detail))
