import type { ViewerContext } from '#server/ports/world.ts'
import { countUnreadFirings } from './firings.store.ts'

/** How many fired alerts the user has not seen, at most 100; support reads those of all accounts and has none of its own. */
export const countUnread = ({ db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>) =>
  viewer.role === 'deepsupport' ? 0 : countUnreadFirings(db.read, viewer)
