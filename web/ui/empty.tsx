import type { ReactNode } from 'react'
import { Notice } from './notice.tsx'

/** Nothing here yet: what will be, and the next step. */
export const Empty = (props: { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) => <Notice {...props} />
