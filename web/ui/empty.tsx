import type { ReactNode } from 'react'
import { Notice } from './notice.tsx'

export const Empty = (props: { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) => <Notice {...props} />
