import { storage } from '#web/lib/storage.ts'

/** Shows the checklist from now on, after a tracker was added by the first steps. */
export const openChecklist = () => storage.set('checklist', 'open')
