import { NeedsUpdate } from './needs-update.tsx'

/** /app/native/{anything}, and its alias /exit (C-39). */
export default function NeedsUpdateScreen() {
  return <NeedsUpdate />
}
