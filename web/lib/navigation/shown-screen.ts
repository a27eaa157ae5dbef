let shown: string | undefined
let waiting = 0

/** Says that the screen of an address is on show; returns a function that takes it back. */
export const showScreen = (pathname: string) => {
  shown = pathname
  return () => {
    shown = undefined
  }
}

/** Says that all there is of the screen is a skeleton; returns a function that takes it back. */
export const holdScreen = () => {
  waiting++
  return () => void waiting--
}

/** Whether the screen of an address is on show with its data. Parts of it may still be loading. */
export const isScreenThere = (pathname: string) => shown === pathname && waiting === 0
