import { createContext } from 'react'

/** The addresses of the screens that the role of the member may see. */
export const VisiblePaths = createContext<readonly string[]>([])
