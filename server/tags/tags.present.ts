import type { Tag } from '#contracts/tags.ts'
import type { TagRow } from './tags.store.ts'

export const presentTag = ({ id, name, color }: TagRow): Tag => ({ id, name, color })
