let shown: string | undefined
let waiting = 0

/** Marks the screen of an address as shown; returns a function that reverts it. */
export const showScreen = (pathname: string) => {
  shown = pathname
  return () => {
    shown = undefined
  }
}

/** Marks the screen as a mere skeleton; returns a function that reverts it. */
export const holdScreen = () => {
  waiting++
  return () => void waiting--
}

/** Whether the screen of an address is shown with its data. Parts of it may still be loading. */
export const isScreenThere = (pathname: string) => shown === pathname && waiting === 0
