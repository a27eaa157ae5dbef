import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'

/** For screens of other features, which load the dialog and its translations when it is opened. */
export const ShareSeveralDialog = lazy(async () => (await Promise.all([import('./share-several-dialog.tsx'), loadWords(['trackers'])]))[0])
